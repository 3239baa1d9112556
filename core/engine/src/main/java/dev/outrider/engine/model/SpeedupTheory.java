package dev.outrider.engine.model;

import dev.outrider.common.Require;

/// The expected speedup of speculative decoding if each guess is accepted independently with probability alpha.
///
/// Two formulas in circulation are wrong and are not what is computed here: `(1 - a^K) / (1 - a) + 1` counts
/// the token that is always emitted twice, and `a (1 - a^(K+1)) / (1 - a)` is the accepted count of K + 1
/// guesses.
///
/// @see "Leviathan et al. 2023, equation 1, theorem 3.8, section 3.5; docs/reference/algorithms.md A12.1, A12.2"
public final class SpeedupTheory {
    private SpeedupTheory() {}

    /// Expected tokens per round, the following token included: `(1 - a^(K+1)) / (1 - a)`; K + 1 for a = 1.
    ///
    /// @param alpha  acceptance rate in `[0, 1]`
    /// @param length draft length K, at least 0
    public static double expectedTokens(double alpha, int length) {
        requireRate(alpha);
        requireLength(length);
        // The sum 1 + a + ... + a^K itself where the quotient would cancel.
        if (alpha > 0.999) {
            double sum = 1;
            for (int power = 0; power < length; power++) {
                sum = 1 + alpha * sum;
            }
            return sum;
        }
        return (1 - Math.pow(alpha, length + 1)) / (1 - alpha);
    }

    /// Expected tokens per round by draft length, from the measured survival of positions: entry K is `1 + S_1 + ... + S_K`.
    ///
    /// @param survival by position, the probability that the first l guesses are all accepted; `survival[0] = 1`
    public static double[] expectedTokens(double[] survival) {
        var tokens = survival.clone();
        for (int length = 1; length < tokens.length; length++) {
            tokens[length] += tokens[length - 1];
        }
        return tokens;
    }

    /// Speedup over plain decoding: expected tokens over `K c + 1`.
    ///
    /// @param cost c, the time of one draft step over that of one target pass
    public static double speedup(double alpha, int length, double cost) {
        requireCost(cost);
        return expectedTokens(alpha, length) / (length * cost + 1);
    }

    /// Speedup with measured times, which also sees that a target pass over K + 1 rows takes longer than over
    /// one. All times in the same unit.
    ///
    /// @param tokensPerRound expected or measured tokens per round
    /// @param plainPass      one target pass of one row
    /// @param draft          a round's drafting
    /// @param pass           a round's target pass
    /// @param rest           everything else in a round
    public static double speedup(
            double tokensPerRound, double plainPass, double draft, double pass, double rest) {
        return tokensPerRound * plainPass / (draft + pass + rest);
    }

    /// Tokens per round over the parameters read for them: a speedup that does not depend on the hardware.
    ///
    /// @param parameterRatio drafter's parameters over the target's
    /// @param draftSteps     passes of the drafter in a round
    public static double memoryBoundSpeedup(
            double tokensPerRound, double parameterRatio, double draftSteps) {
        return tokensPerRound / (parameterRatio * draftSteps + 1);
    }

    /// The draft length of greatest speedup, 0 when drafting does not pay; the shortest among equals.
    ///
    /// The continuous optimum has the closed form `u = K + 1 = (-W(-exp(-A)) - A) / b`, `b = -ln a`,
    /// `A = 1 + b (1 - c) / c`, with the lower branch of Lambert's W; its two neighbours are compared.
    ///
    /// @param most greatest length to consider, at least 0
    public static int bestLength(double alpha, double cost, int most) {
        requireRate(alpha);
        requireCost(cost);
        requireLength(most);
        if (alpha <= cost) {
            return 0;
        }
        if (alpha == 1 || cost == 0) {
            return most;
        }
        double b = -Math.log(alpha);
        double a = 1 + b * (1 - cost) / cost;
        double continuous = (-LambertW.lowerBranchOfMinusExp(a) - a) / b - 1;
        int below = (int) Math.clamp((long) Math.floor(continuous), 0, most);
        int above = Math.min(most, below + 1);
        int better = speedup(alpha, above, cost) > speedup(alpha, below, cost) ? above : below;
        return speedup(alpha, better, cost) > 1 ? better : 0;
    }

    private static void requireRate(double alpha) {
        Require.that(alpha >= 0 && alpha <= 1, "alpha %s must be in [0, 1]", alpha);
    }

    private static void requireLength(int length) {
        Require.that(length >= 0, "draft length %d is negative", length);
    }

    private static void requireCost(double cost) {
        Require.that(
                cost >= 0 && cost < Double.POSITIVE_INFINITY,
                "cost ratio %s must be 0 or more",
                cost);
    }

    /// The inverse of `w exp(w)` below -1.
    static final class LambertW {
        private LambertW() {}

        /// `W_{-1}(-exp(-a))` for `a >= 1`, found without computing the exponential, which would underflow:
        /// `v = -W` solves `v - ln v = a` with `v >= 1`.
        static double lowerBranchOfMinusExp(double a) {
            if (a <= 1) {
                return -1;
            }
            // Starts above the root, whence Newton's method on a convex function comes down to it.
            double v = a + Math.sqrt(2 * (a - 1)) + 1;
            for (int step = 0; step < 60; step++) {
                double next = v - (v - Math.log(v) - a) * v / (v - 1);
                if (next >= v) {
                    break;
                }
                v = next;
            }
            return -v;
        }
    }

    /// The expected cost of verification for a target with experts whose passes are bound by memory: a pass reads the dense weights once, and every
    /// expert that any of its rows activates.
    ///
    /// Rows are taken to choose independently and all experts alike. Routers that prefer some experts, and rows of one text, activate fewer
    /// different ones.
    ///
    /// @param experts of a layer
    /// @param chosen  how many of them a row activates, at least 1
    /// @see "docs/reference/algorithms.md A12.4"
    public record ExpertTheory(int experts, int chosen) {
        public ExpertTheory {
            Require.that(
                    chosen >= 1 && experts >= chosen,
                    "a row cannot activate %d of %d experts",
                    chosen,
                    experts);
        }

        /// Returns the expected number of different experts of a layer that some rows activate: `E (1 - (1 - k/E)^n)`.
        ///
        /// @param rows n, at least 0
        public double active(int rows) {
            Require.that(rows >= 0, "%d rows are negative", rows);
            return experts * (1 - Math.pow(1 - (double) chosen / experts, rows));
        }

        /// t(n) / t(1): the time of a pass over that of a pass of one row.
        ///
        /// @param share the experts' share of a pass of one row, in `[0, 1]`
        public double pass(int rows, double share) {
            Require.that(share >= 0 && share <= 1, "share %s must be in [0, 1]", share);
            return 1 - share + share * active(rows) / chosen;
        }

        /// Expected speedup over plain decoding if guesses are accepted independently.
        ///
        /// @param alpha  acceptance rate
        /// @param length draft length K
        /// @param cost   c, the time of one draft step over that of one target pass of one row
        /// @param share  the experts' share of such a pass
        public double speedup(double alpha, int length, double cost, double share) {
            return SpeedupTheory.speedup(
                    SpeedupTheory.expectedTokens(alpha, length),
                    1,
                    length * cost,
                    pass(length + 1, share),
                    0);
        }
    }
}
