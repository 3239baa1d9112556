package dev.outrider.drafter.eagle;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train p-eagle`.
public record PEagleTraining(@Inline FrozenTargetKeys keys, @Doc("The head.") PEaglePlan head)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedPEagle(target, keys, head);
    }

    /// `train p-eagle`.
    public static final class Trainer extends HeadTrainer<PEagleTraining> {
        public Trainer() {
            super(
                    EagleHead.PARALLEL.drafter(),
                    PEagleTraining.class,
                    "Trains a P-EAGLE head on a target that stays as it is.",
                    "The head learns from text to guess several tokens in one pass: the next token at every place, and further ones, from masks, at fewer and fewer places drawn at random.",
                    "train p-eagle --config configs/training/p-eagle.yaml");
        }
    }
}
