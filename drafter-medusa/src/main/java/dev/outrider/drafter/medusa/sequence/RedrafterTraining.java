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

/// The configuration of `train redrafter`.
public record RedrafterTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The head; it learns 'count' guesses in a row.") TokenHeads.Plan heads,
        @Doc("How it takes tokens in.") @Default("{}") Recurrence recurrence)
        implements HeadTraining {
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
