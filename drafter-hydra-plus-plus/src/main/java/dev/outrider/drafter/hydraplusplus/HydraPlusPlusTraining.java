package dev.outrider.drafter.hydraplusplus;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TokenHeads;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train hydra-plus-plus`.
public record HydraPlusPlusTraining(
        @Inline FrozenTargetKeys keys,
        @Doc(
                        "The heads; all blocks of a head after the first have the same parameters, as in the authors' program.")
                TokenHeads.Plan heads)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedPrefix(target, keys, heads);
    }

    /// `train hydra-plus-plus`.
    public static final class Trainer extends HeadTrainer<HydraPlusPlusTraining> {
        public Trainer() {
            super(
                    HydraPlusPlusDrafter.NAME,
                    HydraPlusPlusTraining.class,
                    "Trains Hydra++ heads and their prefix layer on a target that stays as it is.",
                    "As train hydra, but heads read the state of a layer that attends to all hidden states of the target.",
                    "train hydra-plus-plus --config configs/training/hydra-plus-plus.yaml");
        }
    }
}
