package dev.outrider.engine.exactness;

import java.util.function.DoublePredicate;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;

/// The distribution of a chi-square statistic when the hypothesis is wrong: a Poisson mixture of central distributions. The
/// noncentrality is `n w^2` for `n` samples and an effect of size `w`.
///
/// @see "Cohen 1988: Statistical power analysis, section 7; Guenther 1977 for the power of a goodness-of-fit test"
final class NoncentralChiSquared {
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
