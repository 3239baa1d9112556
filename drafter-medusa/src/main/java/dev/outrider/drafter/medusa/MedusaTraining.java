package dev.outrider.drafter.medusa;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train medusa`.
public record MedusaTraining(
        @Inline FrozenTargetKeys keys, @Doc("The heads.") TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedMedusa(target, keys, heads);
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
