package dev.outrider.treeverify.reference;

import dev.outrider.nn.network.BlockForm.BoundedGate;
import dev.outrider.nn.network.Experts;
import dev.outrider.treeverify.pass.PassStaging.PassLayout;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/// Reference implementations of the kernels of experts.
public final class ReferenceExperts {
    /// A number of the choices that no kernel writes.
    public static final int UNWRITTEN = -1;

    private static final int TILE = 8;

    private ReferenceExperts() {}

    /// Returns the choices of all rows in the order of [ExpertSizes#choices]. NaN is less than all numbers.
    ///
    /// @param scores  `[n, count + 1]`
    /// @param factors `[n, chosen]`, written
    public static int[] choose(
            int[] pass, float[] scores, float[] factors, Experts experts, int maxRows) {
        var choices = new int[experts.count() * (1 + 2 * maxRows) + maxRows * experts.chosen()];
        Arrays.fill(choices, UNWRITTEN);
        Arrays.fill(choices, 0, experts.count(), 0);
        int list = experts.count() * (1 + 2 * maxRows);
        for (int row = 0; row < pass[PassLayout.ROWS]; row++) {
            int first = row * (experts.count() + 1);
            int[] best =
                    IntStream.range(0, experts.count())
                            .boxed()
                            .sorted(Comparator.comparingDouble(each -> -scores[first + each]))
                            .limit(experts.chosen())
                            .mapToInt(Integer::intValue)
                            .toArray();
            double sum =
                    (experts.normalised()
                                    ? Arrays.stream(best)
                                    : IntStream.range(0, experts.count()))
                            .mapToDouble(each -> Math.exp(scores[first + each]))
                            .sum();
            for (int index = 0; index < best.length; index++) {
                int choice = row * experts.chosen() + index;
                choices[list + choice] = best[index];
                factors[choice] = (float) (Math.exp(scores[first + best[index]]) / sum);
                int place = experts.count() + best[index] * maxRows + choices[best[index]]++;
                choices[place] = row;
                choices[place + experts.count() * maxRows] = choice;
            }
        }
        return choices;
    }

    /// Computes gate and up of all choices.
    ///
    /// @param weights `[count * padded, size]`
    /// @param biases  `[count * padded]`
    public static void gateUp(
            int[] choices,
            int pairs,
            float[] weights,
            float[] biases,
            float[] from,
            float[] to,
            Experts experts,
            Optional<BoundedGate> bounds,
            int maxRows,
            int size) {
        int inner = experts.intermediateSize();
        int padded = Math.ceilDiv(2 * inner, TILE) * TILE;
        for (int choice = 0; choice < pairs; choice++) {
            int first = choices[experts.count() * (1 + 2 * maxRows) + choice] * padded;
            int row = choice / experts.chosen();
            for (int number = 0; number < inner; number++) {
                int output = first + 2 * number;
                double gate = product(weights, output, from, row, size) + biases[output];
                double up = product(weights, output + 1, from, row, size) + biases[output + 1];
                to[choice * inner + number] =
                        (float)
                                bounds.map(each -> bounded(each, gate, up))
                                        .orElse(gate / (1 + Math.exp(-gate)) * up)
                                        .doubleValue();
            }
        }
    }

    private static double bounded(BoundedGate bounds, double gate, double up) {
        double open = Math.min(gate, bounds.limit());
        double other = Math.clamp(up, -bounds.limit(), bounds.limit());
        return open / (1 + Math.exp(-bounds.slope() * open)) * (other + 1);
    }

    /// Computes the results of all choices, times their factors.
    ///
    /// @param weights `[count * padded, inner]`
    /// @param biases  `[count * padded]`
    public static void down(
            int[] choices,
            int pairs,
            float[] weights,
            float[] biases,
            float[] from,
            float[] factors,
            float[] to,
            Experts experts,
            int maxRows,
            int outputs) {
        int size = experts.intermediateSize();
        for (int choice = 0; choice < pairs; choice++) {
            int expert = choices[experts.count() * (1 + 2 * maxRows) + choice];
            for (int output = 0; output < outputs; output++) {
                int first = expert * Math.ceilDiv(outputs, TILE) * TILE + output;
                double result = product(weights, first, from, choice, size) + biases[first];
                to[choice * outputs + output] = (float) (result * factors[choice]);
            }
        }
    }

    /// Adds up the results of a row's choices, the shared expert's and the stream.
    public static void addUp(
            int rows,
            float[] made,
            float[] shared,
            float[] scores,
            int width,
            int experts,
            float[] stream,
            float[] to,
            int chosen,
            int size) {
        for (int item = 0; item < rows * size; item++) {
            int row = item / size;
            double sum = 0;
            if (width > experts) {
                sum = shared[item] / (1 + Math.exp(-scores[row * width + experts]));
            }
            for (int choice = 0; choice < chosen; choice++) {
                sum += made[(row * chosen + choice) * size + item % size];
            }
            to[item] = (float) (stream[item] + sum);
        }
    }

    private static double product(float[] weights, int output, float[] from, int row, int size) {
        double sum = 0;
        for (int index = 0; index < size; index++) {
            sum += (double) weights[output * size + index] * from[row * size + index];
        }
        return sum;
    }
}
