package dev.outrider.drafter.medusa;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.HeadTrainer;

/// The configuration of `train medusa`.
public record MedusaTraining(@Inline FrozenTargetKeys keys, @Doc("The heads.") HeadPlan heads)
        implements FrozenTargetSettings {
    @Override
    public Learner learner(RowSource rows) {
        return HeadLearner.of(keys, target -> new TrainedMedusa(target, keys, heads));
    }

    /// `train medusa`.
    public static final class Trainer extends HeadTrainer<MedusaTraining> {
        public Trainer() {
            super(
                    "medusa",
                    MedusaTraining.class,
                    "Trains Medusa heads on a target that stays as it is.",
                    "The heads learn from text what follows the target's hidden states.",
                    "train medusa --config configs/training/medusa.yaml",
                    "train medusa --config configs/training/medusa.yaml --set heads.projection=target");
        }
    }
}
