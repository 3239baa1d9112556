package dev.outrider.drafter.block;

import dev.outrider.drafting.TinyTarget;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.Weight;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/// A block drafter as the papers define it, in loops over doubles, from the tensors of a file. It shares no code with the networks.
///
/// @param tensors by the names that speculators has
/// @param windows of each layer: how many positions a row sees, including its own
/// @param mutual  whether slots see later ones in layers with a window too
/// @param size    slots
/// @param first   slot of the first guess
/// @param mask    token of the slots after the anchor
/// @param markov  kind of the Markov head: vanilla, gated, rnn, or null if there is none
record NaiveBlock(
        Map<String, StoredTensor> tensors,
        List<OptionalInt> windows,
        boolean mutual,
        int size,
        int first,
        int mask,
        String markov) {
    private static final int HEADS = 4;
    private static final int SHARED = 2;
    private static final int WIDTH = 8;
    private static final double EPSILON = 1e-5;

    /// Returns the logits of the token after some guesses.
    ///
    /// @param context captured states of all positions before the root
    /// @param path    guesses after the root
    double[] logits(List<float[]> context, int root, int... path) {
        var states = states(context, root);
        int slot = first + path.length;
        var head = matrix("lm_head.weight", Weight.HEAD);
        var logits = times(head, states.get(slot));
        return markov.isEmpty() ? logits : plus(logits, bias(states, root, path));
    }

    /// Returns the confidence head's probability that the guess after `path` is accepted.
    double confidence(List<float[]> context, int root, int... path) {
        var states = states(context, root);
        var input = states.get(first + path.length);
        var weight = matrix("confidence_head.proj.weight");
        if (weight[0].length > input.length) {
            int before = path.length == 0 ? root : path[path.length - 1];
            input = joined(input, matrix("markov_head.markov_w1.weight")[before]);
        }
        return sigmoid(times(weight, input)[0] + vector("confidence_head.proj.bias")[0]);
    }

    private double[] bias(List<double[]> states, int root, int... path) {
        var embeddings = matrix("markov_head.markov_w1.weight");
        int slot = first + path.length;
        int before = path.length == 0 ? root : path[path.length - 1];
        var e = embeddings[before];
        var mixed =
                switch (markov) {
                    case "vanilla" -> e;
                    case "gated" -> {
                        var gate =
                                plus(
                                        times(
                                                matrix("markov_head.gate_proj.weight"),
                                                joined(states.get(slot), e)),
                                        vector("markov_head.gate_proj.bias"));
                        var open = e.clone();
                        for (int index = 0; index < open.length; index++) {
                            open[index] *= sigmoid(gate[index]);
                        }
                        yield open;
                    }
                    default -> recurrent(states, embeddings, root, path);
                };
        return times(matrix("markov_head.markov_w2.weight"), mixed);
    }

    /// The state starts in slot 0, whether slot 0 guesses or not; the token before slot 0 and before the first guess is the root.
    private double[] recurrent(
            List<double[]> states, double[][] embeddings, int root, int... path) {
        int rank = embeddings[0].length;
        var state = new double[rank];
        var out = new double[rank];
        for (int slot = 0; slot <= first + path.length; slot++) {
            int guess = slot - first;
            int before = guess <= 0 ? root : path[guess - 1];
            var z = joined(joined(state, embeddings[before]), states.get(slot));
            var made =
                    plus(
                            times(matrix("markov_head.joint_proj.weight"), z),
                            vector("markov_head.joint_proj.bias"));
            for (int index = 0; index < rank; index++) {
                double gate = sigmoid(made[index]);
                state[index] = gate * state[index] + (1 - gate) * Math.tanh(made[rank + index]);
                out[index] = Math.tanh(made[2 * rank + index]);
            }
        }
        return out;
    }

    /// Returns the states that the head reads, one per slot.
    private List<double[]> states(List<float[]> context, int root) {
        var features = new ArrayList<double[]>();
        for (var captured : context) {
            features.add(
                    normed(times(matrix("fc.weight"), doubles(captured)), "hidden_norm.weight"));
        }
        var stream = new ArrayList<double[]>();
        var embedding = matrix("embed_tokens.weight", Weight.EMBEDDING);
        for (int slot = 0; slot < size; slot++) {
            stream.add(embedding[slot == 0 ? root : mask].clone());
        }
        for (int layer = 0; layer < windows.size(); layer++) {
            layer(stream, features, "layers.%d.".formatted(layer), windows.get(layer));
        }
        return stream.stream().map(row -> normed(row, "norm.weight")).toList();
    }

    private void layer(
            List<double[]> stream, List<double[]> features, String prefix, OptionalInt window) {
        int before = features.size();
        var read =
                stream.stream().map(row -> normed(row, prefix + "input_layernorm.weight")).toList();
        var all = new ArrayList<>(features);
        all.addAll(read);
        for (int slot = 0; slot < size; slot++) {
            var query = times(matrix(prefix + "self_attn.q_proj.weight"), read.get(slot));
            var result = new double[HEADS * WIDTH];
            for (int head = 0; head < HEADS; head++) {
                var q = turned(query, head, prefix + "self_attn.q_norm.weight", before + slot);
                int shared = head / (HEADS / SHARED);
                double total = 0;
                var sum = new double[WIDTH];
                for (int at = 0; at < all.size(); at++) {
                    if (!sees(before + slot, at, before, window)) {
                        continue;
                    }
                    var keys = times(matrix(prefix + "self_attn.k_proj.weight"), all.get(at));
                    var k = turned(keys, shared, prefix + "self_attn.k_norm.weight", at);
                    double weight = Math.exp(dot(q, k) / Math.sqrt(WIDTH));
                    var values = times(matrix(prefix + "self_attn.v_proj.weight"), all.get(at));
                    total += weight;
                    for (int index = 0; index < WIDTH; index++) {
                        sum[index] += weight * values[shared * WIDTH + index];
                    }
                }
                for (int index = 0; index < WIDTH; index++) {
                    result[head * WIDTH + index] = sum[index] / total;
                }
            }
            var attended =
                    plus(
                            stream.get(slot),
                            times(matrix(prefix + "self_attn.o_proj.weight"), result));
            var h = normed(attended, prefix + "post_attention_layernorm.weight");
            var gate = times(matrix(prefix + "mlp.gate_proj.weight"), h);
            var up = times(matrix(prefix + "mlp.up_proj.weight"), h);
            for (int index = 0; index < gate.length; index++) {
                gate[index] = gate[index] * sigmoid(gate[index]) * up[index];
            }
            stream.set(slot, plus(attended, times(matrix(prefix + "mlp.down_proj.weight"), gate)));
        }
    }

    private boolean sees(int position, int other, int before, OptionalInt window) {
        if (window.isEmpty()) {
            return true;
        }
        boolean later = other >= before && other > position;
        return position - other < window.getAsInt() && (mutual || !later);
    }

    /// Returns the vectors of one attention head, normed and rotated.
    private double[] turned(double[] all, int head, String norm, int position) {
        var part = new double[WIDTH];
        System.arraycopy(all, head * WIDTH, part, 0, WIDTH);
        part = normed(part, norm);
        var result = new double[WIDTH];
        int half = WIDTH / 2;
        for (int pair = 0; pair < half; pair++) {
            double angle = position * Math.pow(10_000, -2.0 * pair / WIDTH);
            result[pair] = part[pair] * Math.cos(angle) - part[pair + half] * Math.sin(angle);
            result[pair + half] =
                    part[pair + half] * Math.cos(angle) + part[pair] * Math.sin(angle);
        }
        return result;
    }

    private double[] normed(double[] x, String name) {
        double squares = 0;
        for (double value : x) {
            squares += value * value;
        }
        var weight = vector(name);
        var result = new double[x.length];
        for (int index = 0; index < x.length; index++) {
            result[index] = x[index] / Math.sqrt(squares / x.length + EPSILON) * weight[index];
        }
        return result;
    }

    /// Returns a tensor of the file, or the target's weight.
    private double[][] matrix(String name, Weight otherwise) {
        return tensors.containsKey(name)
                ? matrix(name)
                : rows(TinyTarget.DEEP.numbers(otherwise, 0), TinyTarget.HIDDEN);
    }

    private double[][] matrix(String name) {
        var tensor = tensor(name);
        return rows(tensor.toFloats(), Math.toIntExact(tensor.shape().get(1)));
    }

    private double[] vector(String name) {
        return doubles(tensor(name).toFloats());
    }

    private StoredTensor tensor(String name) {
        var tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("no tensor " + name);
        }
        return tensor;
    }

    private static double[][] rows(float[] numbers, int columns) {
        var rows = new double[numbers.length / columns][columns];
        for (int index = 0; index < numbers.length; index++) {
            rows[index / columns][index % columns] = numbers[index];
        }
        return rows;
    }

    private static double[] doubles(float[] numbers) {
        var result = new double[numbers.length];
        for (int index = 0; index < numbers.length; index++) {
            result[index] = numbers[index];
        }
        return result;
    }

    private static double[] times(double[][] matrix, double[] x) {
        var result = new double[matrix.length];
        for (int row = 0; row < matrix.length; row++) {
            result[row] = dot(matrix[row], x);
        }
        return result;
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int index = 0; index < x.length; index++) {
            sum += x[index] * y[index];
        }
        return sum;
    }

    private static double[] plus(double[] x, double[] y) {
        var sum = new double[x.length];
        for (int index = 0; index < x.length; index++) {
            sum[index] = x[index] + y[index];
        }
        return sum;
    }

    private static double[] joined(double[] x, double[] y) {
        var both = new double[x.length + y.length];
        System.arraycopy(x, 0, both, 0, x.length);
        System.arraycopy(y, 0, both, x.length, y.length);
        return both;
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
