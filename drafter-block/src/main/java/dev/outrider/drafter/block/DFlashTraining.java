package dev.outrider.drafter.block;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train dflash`.
public record DFlashTraining(@Inline FrozenTargetKeys keys, @Doc("The backbone.") BlockPlan head)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedBlock(target, keys, head, HeadPlan.NONE);
    }

    /// `train dflash`.
    public static final class Trainer extends HeadTrainer<DFlashTraining> {
        public Trainer() {
            super(
                    BlockHead.DFLASH.drafter(),
                    DFlashTraining.class,
                    "Trains a DFlash head on a target that stays as it is.",
                    "The head learns from text to guess a block of tokens from the target's features in one pass, at random places of every row; later guesses count less.",
                    "train dflash --config configs/training/dflash.yaml");
        }
    }
}
