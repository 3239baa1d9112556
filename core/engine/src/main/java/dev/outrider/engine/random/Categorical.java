package dev.outrider.engine.random;

import dev.outrider.spi.Support;

/// Draws from a law given as weights.
public final class Categorical {
    private static final int BLOCK = 512;

    private Categorical() {}

    /// The token at which the running sum of the weights first exceeds `uniform` times their total.
    ///
    /// @param law     shape `[V]`, not negative, with a positive finite sum, which need not be 1
    /// @param uniform in `[0, 1)`
    /// @return a token with positive weight
    /// @throws IllegalArgumentException if the sum is not positive and finite
    public static int draw(double[] law, double uniform) {
        double total = 0;
        for (int start = 0; start < law.length; start += BLOCK) {
            total += sum(law, start);
        }
        double rest = uniform * requireLaw(total);
        int start = 0;
        for (; start + BLOCK < law.length; start += BLOCK) {
            double block = sum(law, start);
            if (rest < block) {
                break;
            }
            rest -= block;
        }
        return drawWithin(law, start, rest);
    }

    /// As [#draw(double\[\], double)], for a law whose positive weights are at the tokens of a support.
    ///
    /// @param law     shape `[V]`, 0 outside the support
    /// @param support may have tokens of weight 0
    /// @param uniform in `[0, 1)`
    /// @return a token with positive weight
    /// @throws IllegalArgumentException if the sum is not positive and finite
    public static int draw(double[] law, Support support, double uniform) {
        if (support.size() > law.length / 8) {
            return draw(law, uniform);
        }
        double total = 0;
        for (int index = 0; index < support.size(); index++) {
            total += law[support.token(index)];
        }
        double left = uniform * requireLaw(total);
        int last = -1;
        for (int index = 0; index < support.size(); index++) {
            double weight = law[support.token(index)];
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

    private static double requireLaw(double total) {
        if (!(total > 0 && total < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "weights sum to %s, expected a positive number".formatted(total));
        }
        return total;
    }

    /// Rounding can leave a little to go when the block is used up; the next positive weight is meant then,
    /// or the last one there is.
    private static int drawWithin(double[] law, int start, double rest) {
        double left = rest;
        for (int token = start; token < law.length; token++) {
            if (law[token] > 0) {
                left -= law[token];
                if (left < 0) {
                    return token;
                }
            }
        }
        int last = law.length - 1;
        while (law[last] <= 0) {
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
