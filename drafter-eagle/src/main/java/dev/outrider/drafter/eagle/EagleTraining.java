package dev.outrider.drafter.eagle;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train eagle`.
public record EagleTraining(@Inline FrozenTargetKeys keys, @Doc("The head.") EaglePlan head)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedEagle(target, keys, head, rows);
    }

    /// `train eagle`.
    public static final class Trainer extends HeadTrainer<EagleTraining> {
        public Trainer() {
            super(
                    "eagle",
                    EagleTraining.class,
                    "Trains an EAGLE-1 or EAGLE-3 head on a target that stays as it is.",
                    "The head learns from text to continue the target's features: EAGLE-1 by regression and the target's distribution, EAGLE-3 by making several guesses in a row as when drafting (training-time test).",
                    "train eagle --config configs/training/eagle1.yaml",
                    "train eagle --config configs/training/eagle3.yaml --set training.learningRate.steps=200");
        }
    }
}
