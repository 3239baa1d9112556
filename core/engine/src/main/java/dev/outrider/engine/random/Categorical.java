package dev.outrider.engine.random;

import dev.outrider.spi.sampling.Support;

/// Draws from a distribution given as weights.
public final class Categorical {
    private static final int BLOCK = 512;

    private Categorical() {}

    /// The token at which the running sum of the weights first exceeds `uniform` times their total.
    ///
    /// @param distribution     shape `[V]`, not negative, with a positive finite sum, which need not be 1
    /// @param uniform in `[0, 1)`
    /// @return a token with positive weight
    /// @throws IllegalArgumentException if the sum is not positive and finite
    public static int draw(double[] distribution, double uniform) {
        double total = 0;
        for (int start = 0; start < distribution.length; start += BLOCK) {
            total += sum(distribution, start);
        }
        double rest = uniform * requireDistribution(total);
        int start = 0;
        for (; start + BLOCK < distribution.length; start += BLOCK) {
            double block = sum(distribution, start);
            if (rest < block) {
                break;
            }
            rest -= block;
        }
        return drawWithin(distribution, start, rest);
    }

    /// As [#draw(double\[\], double)], for a distribution whose positive weights are at the tokens of a support.
    ///
    /// @param distribution     shape `[V]`, 0 outside the support
    /// @param support may have tokens of weight 0
    /// @param uniform in `[0, 1)`
    /// @return a token with positive weight
    /// @throws IllegalArgumentException if the sum is not positive and finite
    public static int draw(double[] distribution, Support support, double uniform) {
        if (support.size() > distribution.length / 8) {
            return draw(distribution, uniform);
        }
        double total = 0;
        for (int index = 0; index < support.size(); index++) {
            total += distribution[support.token(index)];
        }
        double left = uniform * requireDistribution(total);
        int last = -1;
        for (int index = 0; index < support.size(); index++) {
            double weight = distribution[support.token(index)];
            if (weight > 0) {
                last = support.token(index);
                left -= weight;
                if (left < 0) {
                    return last;
                }
            }
        }
        return last;
    }

    private static double requireDistribution(double total) {
        if (!(total > 0 && total < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "weights sum to %s, expected a positive number".formatted(total));
        }
        return total;
    }

    /// Rounding can leave a little to go when the block is used up; the next positive weight is meant then,
    /// or the last one there is.
    private static int drawWithin(double[] distribution, int start, double rest) {
        double left = rest;
        for (int token = start; token < distribution.length; token++) {
            if (distribution[token] > 0) {
                left -= distribution[token];
                if (left < 0) {
                    return token;
                }
            }
        }
        int last = distribution.length - 1;
        while (distribution[last] <= 0) {
            last--;
        }
        return last;
    }

    /// The sum of one block in four running sums, because each addition waits for the one before it.
    private static double sum(double[] values, int from) {
        int to = Math.min(values.length, from + BLOCK);
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int index = from;
        for (; index + 3 < to; index += 4) {
            a += values[index];
            b += values[index + 1];
            c += values[index + 2];
            d += values[index + 3];
        }
        for (; index < to; index++) {
            a += values[index];
        }
        return a + b + (c + d);
    }
}
