package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Evidence against plain decoding: the weighted mean of likelihood ratios of alternatives. It is a test martingale, so the probability that
/// it ever reaches 1 / alpha is at most alpha, whenever one looks (Ville 1939; Ramdas et al. 2023, section 3).
final class EProcess {
    /// No token counts as less probable, so that a single impossible one is finite evidence.
    static final double LEAST = 1e-9;

    /// Share of plain decoding in every alternative: a token that rounding keeps from an alternative does not refute it.
    static final double SHARE = 1e-4;

    /// A token at the edge of a truncation may be there by rounding: it only divides the evidence between alternatives, and no more than this.
    private static final double EDGE = .1;

    private final List<? extends Alternative> alternatives;
    private final double[] logWeights;
    private final double[] logRatios;
    private long places;

    /// @param weights of the alternatives, which sum to 1 or less
    EProcess(List<? extends Alternative> alternatives, double[] weights) {
        this.alternatives = List.copyOf(alternatives);
        this.logWeights = Arrays.stream(weights).map(Math::log).toArray();
        this.logRatios = new double[weights.length];
    }

    /// A new text begins.
    void begin(int prompt) {
        alternatives.forEach(each -> each.begin(prompt));
    }

    /// Takes a token.
    ///
    /// @param p        the distribution of plain decoding
    /// @param counting whether it counts as evidence; a token at the edge of a truncation does not
    void add(Place place, double[] p, boolean counting) {
        double own = p[place.token()];
        var densities = new double[logRatios.length];
        for (int index = 0; index < densities.length; index++) {
            densities[index] = alternatives.get(index).density(place, p);
            alternatives.get(index).observe(place, p);
        }
        double best = Math.max(Arrays.stream(densities).max().orElse(0), LEAST);
        for (int index = 0; index < densities.length; index++) {
            logRatios[index] +=
                    counting
                            ? Math.log(
                                    ((1 - SHARE) * densities[index] + SHARE * own)
                                            / Math.max(own, LEAST))
                            : Math.log((1 - EDGE) * densities[index] / best + EDGE);
        }
        places += counting ? 1 : 0;
    }

    /// Tokens that counted.
    long places() {
        return places;
    }

    /// The natural logarithm of the evidence.
    double log() {
        return logSum(
                IntStream.range(0, logRatios.length)
                        .mapToDouble(index -> logWeights[index] + logRatios[index])
                        .toArray());
    }

    /// Logarithm of an alternative's likelihood ratio.
    double logRatio(int index) {
        return logRatios[index];
    }

    String name(int index) {
        return alternatives.get(index).name();
    }

    /// Shares of the alternatives in the evidence.
    double[] shares() {
        double all = log();
        return IntStream.range(0, logRatios.length)
                .mapToDouble(index -> Math.exp(logWeights[index] + logRatios[index] - all))
                .toArray();
    }

    static double logSum(double[] logs) {
        double best = Arrays.stream(logs).max().orElse(Double.NEGATIVE_INFINITY);
        return best == Double.NEGATIVE_INFINITY
                ? best
                : best + Math.log(Arrays.stream(logs).map(each -> Math.exp(each - best)).sum());
    }
}
