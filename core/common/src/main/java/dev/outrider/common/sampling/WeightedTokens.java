package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.Support;
import java.util.Arrays;
import java.util.Optional;

/// Tokens in rising order with a weight each, in memory that is used again for one distribution after the other.
///
/// Confined to one thread.
final class WeightedTokens implements Support {
    private int[] tokens = new int[64];
    private double[] weights = new double[64];
    private double[] sorted = new double[0];
    private Optional<TailSum> tail = Optional.empty();
    private int size;

    @Override
    public int size() {
        return size;
    }

    @Override
    public int token(int index) {
        return tokens[index];
    }

    void clear() {
        size = 0;
    }

    /// Sets the given distribution to 0 at every token.
    void zero(double[] distribution) {
        for (int index = 0; index < size; index++) {
            distribution[tokens[index]] = 0;
        }
    }

    void scan(double[] distribution) {
        clear();
        for (int token = 0; token < distribution.length; token++) {
            if (distribution[token] > 0) {
                if (size == tokens.length) {
                    tokens = Arrays.copyOf(tokens, 2 * size);
                }
                tokens[size++] = token;
            }
        }
    }

    /// Appends a token, which must be larger than the last one, with a weight for selection.
    void add(int token, double weight) {
        if (size == tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * size);
        }
        if (size >= weights.length) {
            weights = Arrays.copyOf(weights, 2 * size);
        }
        tokens[size] = token;
        weights[size++] = weight;
    }

    /// Turns weights that are scores so far into `exp((score - best) inverse)`, and returns their sum.
    double weigh(double best, double inverse) {
        double total = 0;
        for (int index = 0; index < size; index++) {
            weights[index] = Softmax.exp((weights[index] - best) * inverse);
            total += weights[index];
        }
        return total;
    }

    /// The weights in rising order; only the first [#size] numbers count. Overwritten by the next call.
    double[] sortedWeights() {
        if (sorted.length < size) {
            sorted = new double[weights.length];
        }
        System.arraycopy(weights, 0, sorted, 0, size);
        Arrays.sort(sorted, 0, size);
        return sorted;
    }

    /// The summing of rows whose tokens are collected here.
    TailSum tail() {
        if (tail.isEmpty()) {
            tail = Optional.of(new TailSum());
        }
        return tail.get();
    }

    /// Keeps tokens of at least some weight, but drops the last few of those equal to it.
    ///
    /// @param tiesDropped number of the last tokens with exactly this weight that are dropped
    /// @return the sum of the remaining weights
    double keepFrom(double cut, int tiesDropped) {
        int drop = tiesDropped;
        for (int index = size - 1; drop > 0; index--) {
            if (weights[index] == cut) {
                weights[index] = 0;
                drop--;
            }
        }
        int kept = 0;
        double total = 0;
        for (int index = 0; index < size; index++) {
            if (weights[index] >= cut) {
                tokens[kept] = tokens[index];
                weights[kept++] = weights[index];
                total += weights[index];
            }
        }
        size = kept;
        return total;
    }

    /// Writes weights times a factor into a distribution that is 0 elsewhere.
    void writeTo(double[] distribution, double factor) {
        for (int index = 0; index < size; index++) {
            distribution[tokens[index]] = weights[index] * factor;
        }
    }
}
