package dev.outrider.drafter.eagle;

import dev.outrider.drafting.StopRule;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Optional;

/// What both drafters' configurations say about drafts.
///
/// @param plan     shape of the drafts
/// @param sampling the drafter's own sampling; the target's if there is none
/// @param stopRule where to stop short of the plan
record Drafting(TreePlan plan, Optional<SamplingPolicy> sampling, StopRule stopRule) {
    private static final int DEFAULT_LENGTH = 5;

    /// @throws IllegalArgumentException if the values contradict each other or are out of range
    static Drafting of(
            Optional<Integer> length,
            Optional<TreePlan> tree,
            Optional<SamplingPolicy> sampling,
            double confidenceThreshold) {
        if (length.isPresent() && tree.isPresent()) {
            throw new IllegalArgumentException(
                    "'length' (%d) and 'tree' exclude each other".formatted(length.get()));
        }
        if (length.isPresent() && length.get() < 1) {
            throw new IllegalArgumentException("'length' must be at least 1, got " + length.get());
        }
        if (!(confidenceThreshold >= 0 && confidenceThreshold <= 1)) {
            throw new IllegalArgumentException(
                    "'confidenceThreshold' must be in [0, 1], got " + confidenceThreshold);
        }
        return new Drafting(
                tree.orElseGet(() -> new TreePlan.Chain(length.orElse(DEFAULT_LENGTH))),
                sampling,
                confidenceThreshold > 0
                        ? new StopRule.LowConfidence(confidenceThreshold)
                        : new StopRule.Never());
    }

    DrafterTraits traits() {
        boolean greedy = sampling.filter(SamplingPolicy::greedy).isPresent();
        return DrafterTraits.following(plan, greedy).readingHiddenStates();
    }
}
