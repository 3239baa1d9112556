package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/// Functions of rows. IEEE 754 defines the rounding of every step, so that compiled and interpreted code, and machines with
/// vectors of different widths, give the same bits. Arrays have space for whole vectors.
public final class VectorMath {
    private static final float LOG2_E = 1.44269504f;
    private static final float LN2_HIGH = 0.693359375f;
    private static final float LN2_LOW = -2.12194440e-4f;
    private static final float MIN_EXPONENT = -87;
    private static final float LARGEST_EXPONENT = 88;
    private static final int FRACTION_BITS = 23;
    private static final int BIAS = 127;

    private VectorMath() {}

    /// Returns the exponential function, to about one unit in the last place; 0 below -87, and e^88 above 88.
    ///
    /// @see "Moshier, Cephes mathematical library, expf"
    static FloatVector exp(FloatVector x) {
        var bounded = x.max(MIN_EXPONENT).min(LARGEST_EXPONENT);
        // Adding and subtracting 1.5 * 2^23 rounds to the nearest integer.
        var rounding = FloatVector.broadcast(FLOATS, 0x1.8p23f);
        var whole = bounded.mul(LOG2_E).add(rounding).sub(rounding);
        var rest = whole.fma(FloatVector.broadcast(FLOATS, -LN2_HIGH), bounded);
        rest = whole.fma(FloatVector.broadcast(FLOATS, -LN2_LOW), rest);
        var sum = FloatVector.broadcast(FLOATS, 1.9875691500e-4f);
        sum = sum.fma(rest, FloatVector.broadcast(FLOATS, 1.3981999507e-3f));
        sum = sum.fma(rest, FloatVector.broadcast(FLOATS, 8.3334519073e-3f));
        sum = sum.fma(rest, FloatVector.broadcast(FLOATS, 4.1665795894e-2f));
        sum = sum.fma(rest, FloatVector.broadcast(FLOATS, 1.6666665459e-1f));
        sum = sum.fma(rest, FloatVector.broadcast(FLOATS, 5.0000001201e-1f));
        sum = sum.fma(rest.mul(rest), rest).add(1);
        var power =
                whole.convert(VectorOperators.F2I, 0)
                        .reinterpretAsInts()
                        .add(BIAS)
                        .lanewise(VectorOperators.LSHL, FRACTION_BITS)
                        .reinterpretAsFloats();
        var result = sum.mul(power);
        return result.blend(0, x.compare(VectorOperators.LT, MIN_EXPONENT));
    }

    /// Adds `silu(y)` to x.
    public static void addSilu(float[] x, float[] y) {
        int index = 0;
        for (; index < FLOATS.loopBound(x.length); index += WIDTH) {
            addSilu(x, y, index, FLOATS.maskAll(true));
        }
        if (index < x.length) {
            addSilu(x, y, index, FLOATS.indexInRange(index, x.length));
        }
    }

    private static void addSilu(float[] x, float[] y, int at, VectorMask<Float> mask) {
        var open = FloatVector.fromArray(FLOATS, y, at, mask);
        var silu = open.div(exp(open.neg()).add(1));
        FloatVector.fromArray(FLOATS, x, at, mask).add(silu).intoArray(x, at, mask);
    }

    /// Computes `e^(x - most)` in place.
    static void exponentials(float[] x, int at, int size, float most) {
        for (int index = at; index < at + size; index += WIDTH) {
            exp(FloatVector.fromArray(FLOATS, x, index).sub(most)).intoArray(x, index);
        }
    }

    /// Computes `x * sigmoid(gate)` in place.
    static void opened(float[] x, int at, float[] gates, int gate, int size) {
        for (int index = 0; index < size; index++) {
            x[at + index] *= sigmoid(gates[gate + index]);
        }
    }

    private static float sigmoid(float x) {
        return (float) (1 / (1 + StrictMath.exp(-x)));
    }

    /// Computes `x / sqrt(mean(x^2) + eps) * weight`.
    static void rmsNorm(
            float[] x, int at, int size, float[] weight, double epsilon, float[] y, int to) {
        float scale = (float) (1 / Math.sqrt(squares(x, at, size) / size + epsilon));
        for (int index = 0; index < size; index++) {
            y[to + index] = x[at + index] * scale * weight[index];
        }
    }

    /// Computes `(x - mean) / sqrt(variance + eps) * weight + bias`.
    static void layerNorm(
            float[] x,
            int at,
            int size,
            float[] weight,
            Optional<float[]> bias,
            double epsilon,
            float[] y,
            int to) {
        double sum = 0;
        for (int index = at; index < at + size; index++) {
            sum += x[index];
        }
        double mean = sum / size;
        double squares = 0;
        for (int index = at; index < at + size; index++) {
            double off = x[index] - mean;
            squares = Math.fma(off, off, squares);
        }
        double scale = 1 / Math.sqrt(squares / size + epsilon);
        for (int index = 0; index < size; index++) {
            y[to + index] = (float) ((x[at + index] - mean) * scale) * weight[index];
        }
        bias.ifPresent(numbers -> add(y, to, numbers, 0, size));
    }

    /// Computes `most * tanh(x / most)` in place.
    ///
    /// @see "Gemma team 2024 (Gemma 2), section 2"
    static void cap(float[] x, int at, int size, float most) {
        for (int index = at; index < at + size; index += WIDTH) {
            var twice = FloatVector.fromArray(FLOATS, x, index).mul(2 / most);
            var rest = FloatVector.broadcast(FLOATS, 2).div(exp(twice).add(1));
            rest.neg().add(1).mul(most).intoArray(x, index);
        }
    }

    /// Multiplies a row by a factor.
    static void scale(float[] x, int at, int size, float by) {
        for (int index = at; index < at + size; index++) {
            x[index] *= by;
        }
    }

    /// Multiplies each number of a row by its own factor.
    static void scale(float[] x, int at, int size, MemorySegment by, long from) {
        for (int index = 0; index < size; index += WIDTH) {
            long place = from + (long) index * Float.BYTES;
            FloatVector.fromArray(FLOATS, x, at + index)
                    .mul(FloatVector.fromMemorySegment(FLOATS, by, place, Lanes.ORDER))
                    .intoArray(x, at + index);
        }
    }

    /// Returns the sum of squares, from four parallel sums that are always added in the same order.
    private static double squares(float[] x, int at, int size) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int index = at;
        for (; index + 4 <= at + size; index += 4) {
            a = Math.fma((double) x[index], x[index], a);
            b = Math.fma((double) x[index + 1], x[index + 1], b);
            c = Math.fma((double) x[index + 2], x[index + 2], c);
            d = Math.fma((double) x[index + 3], x[index + 3], d);
        }
        for (; index < at + size; index++) {
            a = Math.fma((double) x[index], x[index], a);
        }
        return a + b + (c + d);
    }

    /// Adds a row to another.
    static void add(float[] x, int at, float[] y, int from, int size) {
        for (int index = 0; index < size; index++) {
            x[at + index] += y[from + index];
        }
    }

    /// Returns the greatest number.
    static float max(float[] x, int at, int size) {
        var all = FloatVector.broadcast(FLOATS, Float.NEGATIVE_INFINITY);
        int index = at;
        for (; index < at + FLOATS.loopBound(size); index += WIDTH) {
            all = all.max(FloatVector.fromArray(FLOATS, x, index));
        }
        float most = all.reduceLanes(VectorOperators.MAX);
        for (; index < at + size; index++) {
            most = Math.max(most, x[index]);
        }
        return most;
    }
}
