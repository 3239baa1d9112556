package dev.outrider.drafter.medusa.sequence;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train hydra`.
public record HydraTraining(@Inline FrozenTargetKeys keys, @Doc("The heads.") TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedHydra(target, keys, heads);
    }

    /// `train hydra`.
    public static final class Trainer extends HeadTrainer<HydraTraining> {
        public Trainer() {
            super(
                    "hydra",
                    HydraTraining.class,
                    "Trains Hydra heads on a target that stays as it is.",
                    "As train medusa, but each head also reads the tokens between the hidden state and its guess; in training they are the text's.",
                    "train hydra --config configs/training/hydra.yaml");
        }
    }
}
