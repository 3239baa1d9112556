package dev.outrider.drafter.block;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.HeadTrainer;

/// The configuration of `train dflash`.
public record DFlashTraining(@Inline FrozenTargetKeys keys, @Doc("The backbone.") BlockPlan head)
        implements FrozenTargetSettings {
    @Override
    public Learner learner(RowSource rows) {
        return HeadLearner.of(keys, target -> new TrainedBlock(target, keys, head, HeadPlan.NONE));
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
