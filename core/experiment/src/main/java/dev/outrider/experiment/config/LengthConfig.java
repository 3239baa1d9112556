package dev.outrider.experiment.config;

import dev.outrider.engine.length.AdaptiveLength;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.length.HeuristicLength;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// How many tokens a round drafts.
public sealed interface LengthConfig {
    /// The engine's plan.
    DraftLengthPlan plan();

    /// The same length every round.
    @Doc("The same length every round.")
    record Fixed(@Doc("Greatest depth of a draft, at least 0.") int tokens)
            implements LengthConfig {
        public Fixed {
            plan(tokens);
        }

        @Override
        public DraftLengthPlan plan() {
            return plan(tokens);
        }

        private static DraftLengthPlan plan(int tokens) {
            return new FixedLength(tokens);
        }
    }

    /// The length the theory calls best for what was seen lately.
    @Doc("The length the theory calls best for the acceptance and draft cost seen lately.")
    record Adaptive(
            @Default("4") @Doc("Length of the first draft.") int initial,
            @Default("16") @Doc("Greatest length.") int most,
            @Default("0.95") @Doc("Share of the past a round leaves in the averages, in [0, 1).")
                    double memory)
            implements LengthConfig {
        public Adaptive {
            plan(initial, most, memory);
        }

        @Override
        public DraftLengthPlan plan() {
            return plan(initial, most, memory);
        }

        private static DraftLengthPlan plan(int initial, int most, double memory) {
            return new AdaptiveLength(initial, most, memory);
        }
    }

    /// Two more after a round that accepted everything, one fewer after any other.
    @Doc("Two tokens more after a round that accepted everything, one fewer after any other.")
    record Heuristic(
            @Default("5") @Doc("Length of the first draft.") int initial,
            @Default("20") @Doc("Greatest length.") int most)
            implements LengthConfig {
        public Heuristic {
            plan(initial, most);
        }

        @Override
        public DraftLengthPlan plan() {
            return plan(initial, most);
        }

        private static DraftLengthPlan plan(int initial, int most) {
            return new HeuristicLength(initial, most);
        }
    }
}
