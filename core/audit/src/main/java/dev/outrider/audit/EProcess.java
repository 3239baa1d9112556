package dev.outrider.audit;

import dev.outrider.audit.Oracle.Place;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Evidence against plain decoding: the weighted mean of likelihood ratios of alternatives. It is a test martingale, so the probability that
/// it ever reaches 1 / alpha is at most alpha, at any stopping time (Ville 1939; Ramdas et al. 2023, section 3).
final class EProcess {
    /// The least probability of a token, so that a single impossible token is finite evidence.
    static final double LEAST = 1e-9;

    /// Share of plain decoding in every alternative: a token that an alternative excludes by rounding does not refute it.
    static final double SHARE = 1e-4;

    /// A token at the edge of a truncation may be there by rounding: it only changes the weights of the alternatives, and none of
    /// them gives it a smaller probability than this.
    private static final double EDGE = 1e-3;

    /// An alternative this many nats behind the best is refuted.
    private static final double REFUTED = 60;

    private final List<? extends Alternative> alternatives;
    private final double[] logWeights;
    private final double[] logRatios;
    private final double[] hints;
    private int[] live = {};
    private long places;

    /// @param weights of the alternatives, which sum to 1 or less
    EProcess(List<? extends Alternative> alternatives, double[] weights) {
        this.alternatives = List.copyOf(alternatives);
        this.logWeights = Arrays.stream(weights).map(Math::log).toArray();
        this.logRatios = new double[weights.length];
        this.hints = new double[weights.length];
    }

    /// Begins a new text. From here on a refuted alternative counts as plain decoding, which saves its time.
    void begin(int prompt) {
        double least = scores().max().orElse(0) - REFUTED;
        live = IntStream.range(0, size()).filter(index -> score(index) >= least).toArray();
        Arrays.stream(live).forEach(index -> alternatives.get(index).begin(prompt));
    }

    /// Takes a token.
    ///
    /// @param p        the distribution of plain decoding
    /// @param counting whether it counts as evidence; a token at the edge of a truncation does not
    void add(Place place, double[] p, boolean counting) {
        double own = Math.max(p[place.token()], LEAST);
        for (int index : live) {
            double density = alternatives.get(index).density(place, p);
            alternatives.get(index).observe(place, p);
            if (counting) {
                logRatios[index] += Math.log((1 - SHARE) * density / own + SHARE);
            } else {
                hints[index] += Math.log1p(density / EDGE);
            }
        }
        places += counting ? 1 : 0;
    }

    int size() {
        return logRatios.length;
    }

    /// Returns the number of tokens that counted.
    long places() {
        return places;
    }

    /// The natural logarithm of the evidence.
    double log() {
        return logSum(
                IntStream.range(0, size())
                        .mapToDouble(index -> logWeights[index] + logRatios[index])
                        .toArray());
    }

    /// Logarithm of an alternative's likelihood ratio.
    double logRatio(int index) {
        return logRatios[index];
    }

    /// Returns the logarithm of an alternative's part of the evidence, tokens at edges included.
    double score(int index) {
        return logWeights[index] + logRatios[index] + hints[index];
    }

    DoubleStream scores() {
        return IntStream.range(0, size()).mapToDouble(this::score);
    }

    String name(int index) {
        return alternatives.get(index).name();
    }

    static double logSum(double[] logs) {
        double best = Arrays.stream(logs).max().orElse(Double.NEGATIVE_INFINITY);
        return best == Double.NEGATIVE_INFINITY
                ? best
                : best + Math.log(Arrays.stream(logs).map(each -> Math.exp(each - best)).sum());
    }
}
