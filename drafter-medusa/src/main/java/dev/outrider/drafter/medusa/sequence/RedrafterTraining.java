package dev.outrider.drafter.medusa.sequence;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;
import java.util.Optional;

/// The configuration of `train redrafter`.
public record RedrafterTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The head; it learns 'count' guesses in a row.") TokenHeads.Plan heads,
        @Doc("How it takes tokens in.") @Default("{}") Recurrence recurrence)
        implements HeadTraining {
    /// How a recurrent head that is to be trained takes tokens in.
    ///
    /// @see "Cheng et al. 2024 (ReDrafter), section 3.1"
    public record Recurrence(
            @Doc(
                            "Whether the draft state is SiLU(U s + W e + b); otherwise it is the sum of the tokens' embeddings.")
                    @Default("true")
                    boolean rnn,
            @Doc(
                            "Width of what the blocks read; twice the hidden size, hidden state and draft state end to end, when it is not"
                                    + " given.")
                    Optional<Integer> exitSize) {
        public Recurrence {
            if (exitSize.filter(size -> size < 1).isPresent()) {
                throw new IllegalArgumentException(
                        "'exitSize' must be at least 1, got " + exitSize.get());
            }
        }

        /// Returns the width of what the blocks read.
        ///
        /// @param hidden the target's hidden size
        int exit(int hidden) {
            return exitSize.orElse(2 * hidden);
        }
    }

    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedRedrafter(target, keys, heads, recurrence);
    }

    /// `train redrafter`.
    public static final class Trainer extends HeadTrainer<RedrafterTraining> {
        public Trainer() {
            super(
                    "redrafter",
                    RedrafterTraining.class,
                    "Trains ReDrafter's recurrent head on a target that stays as it is.",
                    "As train medusa, but one head makes all guesses; it reads a state that goes from token to token, in training along the text.",
                    "train redrafter --config configs/training/redrafter.yaml");
        }
    }
}
