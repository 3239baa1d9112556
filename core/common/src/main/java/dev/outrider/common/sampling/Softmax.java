package dev.outrider.common.sampling;

/// Exponentials of whole rows.
///
/// A row of 32,000 costs [Math#exp] half a millisecond, more than the rest of a round's engine work, so the
/// exponential is written out as range reduction, Taylor polynomial and scaling, in loops that the
/// just-in-time compiler turns into vector instructions. The relative error is below 1e-15. Plain Java
/// arithmetic is exact to the last bit on every machine, so results do not depend on the compiler's choice.
public final class Softmax {
    /// Exponentials of powers down to here are accurate; a little further down (where the exponent of two
    /// falls below [#SMALLEST_EXPONENT]) they are 0, which is 3e-308 of the best token's weight.
    static final double ZERO_BELOW = -708;

    private static final double SMALLEST_EXPONENT = -1021;

    private static final int BLOCK = 1024;
    private static final double LOG2_E = 1.4426950408889634;
    private static final double LN2_HIGH = 0x1.62e42feep-1;
    private static final double LN2_LOW = 0x1.a39ef35793c76p-33;
    private static final double ROUND_TO_INTEGER = 0x1.8p52;

    private static final double C2 = 1 / 2.0;
    private static final double C3 = 1 / 6.0;
    private static final double C4 = 1 / 24.0;
    private static final double C5 = 1 / 120.0;
    private static final double C6 = 1 / 720.0;
    private static final double C7 = 1 / 5040.0;
    private static final double C8 = 1 / 40320.0;
    private static final double C9 = 1 / 362880.0;
    private static final double C10 = 1 / 3628800.0;
    private static final double C11 = 1 / 39916800.0;
    private static final double C12 = 1 / 479001600.0;
    private static final double C13 = 1 / 6227020800.0;

    private Softmax() {}

    /// Replaces scores `z` by `exp((z - best) / temperature)` and returns their sum.
    static double weights(double[] scores, double best, double temperature) {
        var mantissas = new double[Math.min(BLOCK, scores.length)];
        var exponents = new double[mantissas.length];
        double inverse = 1 / temperature;
        double total = 0;
        for (int start = 0; start < scores.length; start += BLOCK) {
            int count = Math.min(BLOCK, scores.length - start);
            System.arraycopy(scores, start, mantissas, 0, count);
            split(mantissas, exponents, count, best, inverse);
            total += join(mantissas, exponents, count, scores, start);
        }
        return total;
    }

    /// As [#weights] for scores of at least `threshold`; the others become 0.
    static double weightsFrom(double[] scores, double threshold, double best, double temperature) {
        double inverse = 1 / temperature;
        double total = 0;
        for (int token = 0; token < scores.length; token++) {
            double score = scores[token];
            double weight = score >= threshold ? exp((score - best) * inverse) : 0;
            scores[token] = weight;
            total += weight;
        }
        return total;
    }

    /// Multiplies every value.
    static void scale(double[] values, double factor) {
        for (int index = 0; index < values.length; index++) {
            values[index] *= factor;
        }
    }

    static double sum(double[] values) {
        return sum(values, 0, values.length);
    }

    /// The sum of some values, in four parts, because each addition waits for the one before it.
    ///
    /// @param from index of the first value
    /// @param to   index after the last one
    public static double sum(double[] values, int from, int to) {
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

    /// `e` to a power of at most 0.
    static double exp(double x) {
        double exponent = x * LOG2_E + ROUND_TO_INTEGER - ROUND_TO_INTEGER;
        if (!(exponent >= SMALLEST_EXPONENT)) {
            return 0;
        }
        double r = x - exponent * LN2_HIGH - exponent * LN2_LOW;
        return polynomial(r) * powerOfTwo(exponent);
    }

    /// Replaces scores by polynomials and writes the powers of two they are to be multiplied by. Both arrays
    /// are indexed alike: otherwise the compiler must assume that they overlap.
    private static void split(
            double[] scores, double[] exponents, int count, double best, double inverse) {
        for (int index = 0; index < count; index++) {
            double x = (scores[index] - best) * inverse;
            double exponent = x * LOG2_E + ROUND_TO_INTEGER - ROUND_TO_INTEGER;
            double r = x - exponent * LN2_HIGH - exponent * LN2_LOW;
            exponents[index] = exponent;
            scores[index] = polynomial(r);
        }
    }

    private static double join(
            double[] mantissas, double[] exponents, int count, double[] weights, int start) {
        double even = 0;
        double odd = 0;
        for (int index = 0; index < count; index++) {
            double exponent = exponents[index];
            double weight =
                    exponent >= SMALLEST_EXPONENT ? mantissas[index] * powerOfTwo(exponent) : 0;
            weights[start + index] = weight;
            // Two sums, because each addition waits for the one before it.
            double swap = odd + weight;
            odd = even;
            even = swap;
        }
        return even + odd;
    }

    private static double polynomial(double r) {
        double p = C13;
        p = p * r + C12;
        p = p * r + C11;
        p = p * r + C10;
        p = p * r + C9;
        p = p * r + C8;
        p = p * r + C7;
        p = p * r + C6;
        p = p * r + C5;
        p = p * r + C4;
        p = p * r + C3;
        p = p * r + C2;
        p = p * r + 1;
        return p * r + 1;
    }

    private static double powerOfTwo(double exponent) {
        return Double.longBitsToDouble(((long) exponent + 1023) << 52);
    }
}
