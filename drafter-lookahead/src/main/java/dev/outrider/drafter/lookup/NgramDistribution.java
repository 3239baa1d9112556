package dev.outrider.drafter.lookup;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The distribution of a token's successor, as logarithms. With c counts, u the unigram distribution (one imagined occurrence of every
/// token) and s the smoothing: `q(x | t) = (c(t, x) + s u(x)) / (c(t) + s)`; order 1 is `u(x)`. Every token has a positive
/// probability.
///
/// Thread-safe.
final class NgramDistribution {
    private final NgramCounts counts;
    private final int order;
    private final double smoothing;
    private final double[] unigram;
    private final float[] logUnigram;

    NgramDistribution(NgramCounts counts, int order, double smoothing) {
        this.counts = counts;
        this.order = order;
        this.smoothing = smoothing;
        this.unigram = new double[counts.vocabulary()];
        this.logUnigram = new float[counts.vocabulary()];
        double total = Arrays.stream(counts.tokens()).asDoubleStream().sum() + unigram.length;
        for (int token = 0; token < unigram.length; token++) {
            unigram[token] = (counts.tokens()[token] + 1) / total;
            logUnigram[token] = (float) Math.log(unigram[token]);
        }
    }

    int vocabulary() {
        return unigram.length;
    }

    /// Returns the logarithms of the successors' probabilities.
    ///
    /// @param token the last token; one outside of the table counts as never seen
    /// @return shape `[V]` 32-bit floats on the heap; the caller owns it
    MemorySegment logits(int token) {
        var row = logUnigram.clone();
        if (order == 2 && token < vocabulary()) {
            addPairs(row, token);
        }
        return MemorySegment.ofArray(row);
    }

    private void addPairs(float[] row, int token) {
        int from = counts.offsets()[token];
        int to = counts.offsets()[token + 1];
        double seen = 0;
        for (int pair = from; pair < to; pair++) {
            seen += counts.counts()[pair];
        }
        float shift = (float) Math.log(smoothing / (seen + smoothing));
        for (int other = 0; other < row.length; other++) {
            row[other] += shift;
        }
        for (int pair = from; pair < to; pair++) {
            int successor = counts.successors()[pair];
            double mass = counts.counts()[pair] + smoothing * unigram[successor];
            row[successor] = (float) Math.log(mass / (seen + smoothing));
        }
    }
}
