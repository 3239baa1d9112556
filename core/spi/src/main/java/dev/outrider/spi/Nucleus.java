package dev.outrider.spi;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Top-p where the kept tokens are few: one pass over the logits adds up all weights and collects the tokens
/// above a floor, and only those are sorted.
///
/// The rule is that of [Truncation#keepTopP].
final class Nucleus {
    /// Weight, relative to the best token's, from which tokens are collected. Of a language model's law a few
    /// hundred tokens are above it.
    private static final double FLOOR = 0x1p-11;

    private Nucleus() {}

    /// Collects the tokens that top-p keeps, with weights relative to the best token's.
    ///
    /// @param support overwritten
    /// @return false if the tokens above the floor do not hold enough mass; the support is empty then
    static boolean keep(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, Support support) {
        support.clear();
        double best = Logits.requireFinite(Logits.max(logits, vocabulary));
        double total =
                Softmax.weightsAbove(
                        logits, vocabulary, best, policy.temperature(), FLOOR, support);
        double limit = policy.topP() * total;
        int size = support.size();
        var sorted = new double[size];
        for (int index = 0; index < size; index++) {
            sorted[index] = support.weight(index);
        }
        Arrays.sort(sorted);
        double above = 0;
        int rank = size;
        while (rank > 0 && above < limit) {
            above += sorted[--rank];
        }
        if (above < limit) {
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
