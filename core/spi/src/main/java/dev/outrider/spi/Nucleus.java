package dev.outrider.spi;

import java.lang.foreign.MemorySegment;

/// Top-p where the kept tokens are few: one pass over the logits adds up all weights and collects the tokens
/// above a floor, and only those are sorted. See [TailSum] for what is rounded.
///
/// The rule is that of [Truncation#keepTopP].
final class Nucleus {
    /// Weight, relative to the best token's, from which tokens are collected. Of a language model's law a few
    /// hundred tokens are above it.
    private static final double FLOOR = 0x1p-11;

    /// Rounding cannot have left out a token of this weight.
    private static final double SAFE = FLOOR * (1 + 1e-3);

    private Nucleus() {}

    /// Collects the tokens that top-p keeps, with weights relative to the best token's.
    ///
    /// @param support overwritten
    /// @return false if the tokens above the floor do not hold enough mass; the support is empty then
    static boolean keep(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, Support support) {
        support.clear();
        double total = support.tail().add(logits, vocabulary, policy.temperature(), FLOOR, support);
        double limit = policy.topP() * total;
        int size = support.size();
        double[] sorted = support.sortedWeights();
        double above = 0;
        int rank = size;
        while (rank > 0 && above < limit) {
            above += sorted[--rank];
        }
        if (above < limit || sorted[rank] < SAFE) {
            support.clear();
            return false;
        }
        double cut = sorted[rank];
        int tiesDropped = 0;
        while (rank > 0 && sorted[rank - 1] == cut) {
            tiesDropped++;
            rank--;
        }
        support.keepFrom(cut, tiesDropped);
        return true;
    }
}
