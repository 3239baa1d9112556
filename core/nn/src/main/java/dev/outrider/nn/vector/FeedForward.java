package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.BlockForm.Activation;
import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.vector.Matrix.Linear;
import dev.outrider.nn.vector.Rows.InputRows;
import jdk.incubator.vector.FloatVector;

/// The two projections of a feed-forward layer, or of an expert.
///
/// @param gateUp the gate and up projections as one; up alone if there is no gate
/// @param down   projection back to the stream
record FeedForward(Linear gateUp, Linear down) {
    /// Computes the results of some rows, into the workspace's projected rows.
    ///
    /// @param x the layer's input
    /// @param y receives the input of the second projection
    void apply(InputRows x, InputRows y, int rows, BlockForm form, Workspace workspace) {
        var inner = workspace.inner;
        gateUp.apply(x, rows, inner, workspace);
        int size = down.matrix().columns();
        workspace.share(rows, row -> activate(form, inner.numbers(), inner.at(row), size));
        y.take(inner.numbers(), 0, inner.stride(), rows, size);
        down.apply(y, rows, workspace.projected, workspace);
    }

    private static void activate(BlockForm form, float[] x, int at, int size) {
        var feedForward = form.feedForward();
        if (feedForward.boundedGate().isPresent()) {
            Activations.bounded(feedForward.boundedGate().get(), x, at, at + size, size);
        } else if (feedForward.gated()) {
            Activations.gated(feedForward.activation(), x, at, at + size, size);
        } else {
            Activations.apply(feedForward.activation(), x, at, size);
        }
    }

    /// The functions of feed-forward layers. As in [VectorMath], IEEE 754 defines the rounding of every step, and arrays have
    /// space for whole vectors.
    static final class Activations {
        /// `2 * sqrt(2 / pi)`.
        private static final float TANH_SCALE = 1.5957691216f;

        private static final float TANH_CUBE = 0.044715f;
        private static final float ROOT_HALF = 0.70710678f;

        private Activations() {}

        /// Computes `f(x)` in place.
        static void apply(Activation activation, float[] x, int at, int size) {
            for (int index = at; index < at + size; index += WIDTH) {
                of(activation, FloatVector.fromArray(FLOATS, x, index)).intoArray(x, index);
            }
        }

        /// Computes `f(gate) * up`, and writes it into the gate's place.
        static void gated(Activation activation, float[] x, int gate, int up, int size) {
            for (int index = 0; index < size; index += WIDTH) {
                of(activation, FloatVector.fromArray(FLOATS, x, gate + index))
                        .mul(FloatVector.fromArray(FLOATS, x, up + index))
                        .intoArray(x, gate + index);
            }
        }

        /// Computes a bounded gate's output from both projections, and writes it into the gate's place.
        static void bounded(BoundedGate bounds, float[] x, int gate, int up, int size) {
            float limit = (float) bounds.limit();
            float slope = (float) bounds.slope();
            for (int index = 0; index < size; index += WIDTH) {
                var open = FloatVector.fromArray(FLOATS, x, gate + index).min(limit);
                var other = FloatVector.fromArray(FLOATS, x, up + index).max(-limit).min(limit);
                open.div(VectorMath.exp(open.mul(-slope)).add(1))
                        .mul(other.add(1))
                        .intoArray(x, gate + index);
            }
        }

        private static FloatVector of(Activation activation, FloatVector x) {
            return switch (activation) {
                case SILU -> x.div(VectorMath.exp(x.neg()).add(1));
                case RELU -> x.max(0);
                case GELU -> gelu(x);
                case GELU_TANH -> {
                    // (1 + tanh(z)) / 2 is the logistic function of 2z.
                    var twice = x.mul(x).mul(TANH_CUBE).add(1).mul(x).mul(TANH_SCALE);
                    yield x.div(VectorMath.exp(twice.neg()).add(1));
                }
            };
        }

        /// Returns `x * Phi(x)`, to about 2e-7 of `|x|`.
        ///
        /// @see "Abramowitz and Stegun 1964, formula 7.1.26"
        private static FloatVector gelu(FloatVector x) {
            var z = x.abs().mul(ROOT_HALF);
            var t = FloatVector.broadcast(FLOATS, 1).div(z.mul(0.3275911f).add(1));
            var sum = t.mul(1.061405429f).add(-1.453152027f);
            sum = sum.mul(t).add(1.421413741f);
            sum = sum.mul(t).add(-0.284496736f);
            sum = sum.mul(t).add(0.254829592f);
            // 1 - erf(z), halved: the tail of a normal distribution beyond |x|.
            var tail = sum.mul(t).mul(VectorMath.exp(z.mul(z).neg())).mul(0.5f);
            return x.max(0).sub(x.abs().mul(tail));
        }
    }
}
