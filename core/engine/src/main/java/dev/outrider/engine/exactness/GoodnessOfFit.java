package dev.outrider.engine.exactness;

import dev.outrider.common.Require;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;

/// Pearson's chi-square test of counts against a distribution that is known exactly, with its effect size and its power.
///
/// The effect is Cohen's `w`, the root of `sum (o - p)^2 / p` over the cells for true cell probabilities o; the
/// total variation distance on the cells is at most `w / 2`.
///
/// @param samples   independent observations n
/// @param cells     cells after pooling; the degrees of freedom are one fewer
/// @param statistic Pearson's chi-square
/// @param pValue    probability of a statistic at least as large if the distribution is right
/// @param alpha     significance level this test is held to
public record GoodnessOfFit(
        long samples, int cells, double statistic, double pValue, double alpha) {
    /// Least expected count of a cell; cells below it are pooled.
    public static final double MIN_EXPECTED = 5;

    private static final double TAIL = 0.025;

    /// Tests counts.
    ///
    /// Cells whose expected count is below [#MIN_EXPECTED] become one; if that is still too small, it joins the
    /// smallest other one. Pooling looks at the distribution alone, so it does not favour any outcome.
    ///
    /// @param distribution    probability of each cell, summing to 1
    /// @param counts observations of each cell
    /// @param alpha  level to test at, in (0, 1)
    public static GoodnessOfFit test(double[] distribution, long[] counts, double alpha) {
        long samples = 0;
        for (long count : counts) {
            samples += count;
        }
        var cells = pooled(distribution, counts, samples);
        double statistic = 0;
        for (var cell : cells) {
            double excess = cell.count - cell.expected;
            statistic += excess * excess / cell.expected;
        }
        double pValue =
                cells.size() < 2
                        ? 1
                        : ChiSquaredDistribution.of(cells.size() - 1)
                                .survivalProbability(statistic);
        return new GoodnessOfFit(samples, cells.size(), statistic, pValue, alpha);
    }

    /// Whether the distribution is refuted at this test's level.
    public boolean rejected() {
        return pValue < alpha;
    }

    /// The measured effect w, less what chance alone contributes.
    public double effect() {
        return samples == 0 ? 0 : Math.sqrt(Math.max(0, statistic - freedom()) / samples);
    }

    /// Lower end of the 95 % confidence interval of w.
    public double effectLow() {
        return freedom() < 1 ? 0 : effectWhere(statistic, TAIL);
    }

    /// Upper end of the 95 % confidence interval of w.
    public double effectHigh() {
        return effectWhere(statistic, 1 - TAIL);
    }

    /// The smallest w that these samples find with a given probability; infinite if there is but one cell.
    public double found(double power) {
        return freedom() < 1 ? Double.POSITIVE_INFINITY : effectWhere(critical(), power);
    }

    /// Probability that these samples would have refuted a distribution that is wrong by an effect of this size.
    public double power(double effectSize) {
        return freedom() < 1
                ? 0
                : NoncentralChiSquared.survival(
                        critical(), freedom(), samples * effectSize * effectSize);
    }

    private int freedom() {
        return cells - 1;
    }

    private double critical() {
        return ChiSquaredDistribution.of(freedom()).inverseSurvivalProbability(alpha);
    }

    /// The effect at which the statistic exceeds a value with a given probability.
    private double effectWhere(double value, double probability) {
        return freedom() < 1
                ? Double.POSITIVE_INFINITY
                : Math.sqrt(
                        NoncentralChiSquared.noncentrality(value, freedom(), probability)
                                / samples);
    }

    private record Cell(double expected, double count) {
        Cell plus(Cell other) {
            return new Cell(expected + other.expected, count + other.count);
        }
    }

    private static List<Cell> pooled(double[] distribution, long[] counts, long samples) {
        Require.that(
                distribution.length == counts.length,
                "%d probabilities for %d counts",
                distribution.length,
                counts.length);
        var large = new ArrayList<Cell>();
        var small = new Cell(0, 0);
        for (var cell :
                IntStream.range(0, distribution.length)
                        .mapToObj(index -> new Cell(distribution[index] * samples, counts[index]))
                        .sorted(Comparator.comparingDouble(Cell::expected).reversed())
                        .toList()) {
            if (cell.expected >= MIN_EXPECTED) {
                large.add(cell);
            } else {
                small = small.plus(cell);
            }
        }
        if (small.expected >= MIN_EXPECTED) {
            large.add(small);
        } else if (!large.isEmpty()) {
            large.add(large.removeLast().plus(small));
        }
        return large;
    }

    /// The distribution of a chi-square statistic when the hypothesis is wrong: a Poisson mixture of central distributions. The
    /// noncentrality is `n w^2` for `n` samples and an effect of size `w`.
    ///
    /// @see "Cohen 1988: Statistical power analysis, section 7; Guenther 1977 for the power of a goodness-of-fit test"
    static final class NoncentralChiSquared {
        private static final double SPREAD = 10;
        private static final int BISECTIONS = 50;

        private NoncentralChiSquared() {}

        /// Probability that the statistic exceeds `x`.
        ///
        /// @param freedom       degrees of freedom, positive
        /// @param noncentrality 0 or more
        static double survival(double x, int freedom, double noncentrality) {
            double mean = noncentrality / 2;
            if (mean <= 0) {
                return ChiSquaredDistribution.of(freedom).survivalProbability(x);
            }
            var terms = PoissonDistribution.of(mean);
            double reach = SPREAD * (Math.sqrt(mean) + 2);
            int from = (int) Math.max(0, mean - reach);
            int to = (int) Math.ceil(mean + reach);
            double survival = 0;
            for (int term = from; term <= to; term++) {
                survival +=
                        terms.probability(term)
                                * ChiSquaredDistribution.of(freedom + 2.0 * term)
                                        .survivalProbability(x);
            }
            return Math.min(1, survival);
        }

        /// The noncentrality at which the statistic exceeds `x` with a given probability; 0 if it does so anyway.
        static double noncentrality(double x, int freedom, double probability) {
            return smallest(noncentrality -> survival(x, freedom, noncentrality) >= probability);
        }

        /// The smallest number from 0 on that fulfils a condition which all greater ones fulfil too.
        private static double smallest(DoublePredicate condition) {
            if (condition.test(0)) {
                return 0;
            }
            double high = 1;
            while (!condition.test(high)) {
                high *= 2;
            }
            double low = high / 2;
            if (high <= 1) {
                low = 0;
            }
            for (int step = 0; step < BISECTIONS; step++) {
                double middle = (low + high) / 2;
                if (condition.test(middle)) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return high;
        }
    }
}
