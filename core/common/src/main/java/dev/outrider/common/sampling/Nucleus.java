package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import java.lang.foreign.MemorySegment;

/// Top-p where the kept tokens are few: one pass over the logits adds up all weights and collects the tokens
/// above a floor, and only those are sorted. See [TailSum] for what is rounded.
///
/// The rule is that of [Truncation#keepTopP].
final class Nucleus {
    /// Weights, relative to the best token's, from which tokens are collected, until they hold enough mass. Of a language
    /// model's distribution some dozens of tokens are above the first.
    private static final double[] FLOORS = {0x1p-9, 0x1p-11, 0x1p-13};

    /// Rounding cannot have left out a token of so many times the floor.
    private static final double SAFE = 1 + 1e-3;

    private Nucleus() {}

    /// Collects the tokens that top-p keeps, with weights relative to the best token's.
    ///
    /// @param support overwritten
    /// @return false if the tokens above the floor do not hold enough mass; the support is empty then
    static boolean keep(
            SamplingPolicy policy, MemorySegment logits, int vocabulary, WeightedTokens support) {
        var tail = support.tail();
        if (!tail.add(logits, vocabulary, policy.temperature())) {
            support.clear();
            return false;
        }
        for (double floor : FLOORS) {
            support.clear();
            double total = tail.collect(floor, support);
            if (keep(policy.topP() * total, floor * SAFE, support)) {
                return true;
            }
        }
        support.clear();
        return false;
    }

    /// Keeps the tokens of most weight that hold the limit together, if all of them have a safe weight.
    private static boolean keep(double limit, double safe, WeightedTokens support) {
        int size = support.size();
        double[] sorted = support.sortedWeights();
        double above = 0;
        int rank = size;
        while (rank > 0 && above < limit) {
            above += sorted[--rank];
        }
        if (above < limit || sorted[rank] < safe) {
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
