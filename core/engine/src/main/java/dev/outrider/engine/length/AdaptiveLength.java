package dev.outrider.engine.length;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.Require;
import dev.outrider.engine.length.RowCosts.PassLine;
import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;

/// The length that the theory gives as the best for recent acceptance and the recent draft cost.
///
/// Acceptance and the times of a draft step and of the target's pass are exponential averages over rounds. The cost that a row adds to
/// the pass is learned from passes of different numbers of rows; it includes the experts that further rows activate. The
/// length moves when the optimum is more than one away, because the speedup is flat near its optimum. It never falls below `min`: a
/// drafter that drafts nothing could never show that it has become useful. Lengths follow measured
/// times, so sampled output cannot be repeated from a seed; it stays exact.
///
/// @param initial length until something is known, at least 1
/// @param max     greatest length
/// @param min     smallest length, at least 1
/// @param memory  share of the past that a round leaves in the averages, in `[0, 1)`
/// @see "Leviathan et al. 2023, section 3.5; docs/reference/algorithms.md A9.1, A12.2"
@Doc("The length the theory calls best for the acceptance and draft cost seen lately.")
public record AdaptiveLength(
        @Default("4") @Doc("Length of the first draft.") int initial,
        @Default("16") @Doc("Greatest length.") int max,
        @Default("1") @Doc("Smallest length, at least 1.") int min,
        @Default("0.95") @Doc("Share of the past a round leaves in the averages, in [0, 1).")
                double memory)
        implements DraftLengthPlan {
    private static final String NEAR_BEST = "near best";

    public AdaptiveLength {
        LengthBounds.require(min, initial, max);
        Require.that(memory >= 0 && memory < 1, "memory %s must be in [0, 1)", memory);
    }

    @Override
    public DraftLengthPolicy start() {
        return new Controller();
    }

    private final class Controller implements DraftLengthPolicy {
        private final Average accepts = new Average(memory);
        private final Average trials = new Average(memory);
        private final Average draftStep = new Average(memory);
        private final PassLine targetPass = new PassLine(memory);
        private int length = initial;
        private String reason = ExploreExploit.LEARNING;

        @Override
        public int next() {
            return length;
        }

        @Override
        public String reason() {
            return reason;
        }

        @Override
        public void observe(RoundCompleted round) {
            int depth = round.draft().tree().candidateDepth();
            if (depth == 0) {
                return;
            }
            int accepted = round.verdict().acceptedLength();
            accepts.add(accepted);
            trials.add(accepted < depth ? accepted + 1 : accepted);
            draftStep.add((double) round.times().draft() / depth);
            targetPass.add(round.draft().tree().size(), round.times().score());
            int best = best();
            boolean far = Math.abs(best - length) > 1;
            length = far ? best : length;
            reason = length == best ? ExploreExploit.BEST : NEAR_BEST;
        }

        private int best() {
            double alpha = accepts.value() / trials.value();
            return Math.max(
                    min,
                    SpeedupTheory.bestLength(
                            alpha,
                            draftStep.value(),
                            Math.max(1, targetPass.ofOneRow()),
                            targetPass.perRow(),
                            max));
        }
    }
}
