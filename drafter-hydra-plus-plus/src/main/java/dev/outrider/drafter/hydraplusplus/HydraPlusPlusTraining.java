package dev.outrider.drafter.hydraplusplus;

import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadLearner;
import dev.outrider.training.head.HeadTrainer;

/// The configuration of `train hydra-plus-plus`.
public record HydraPlusPlusTraining(
        @Inline FrozenTargetKeys keys, @Doc("The heads.") PrefixPlan heads)
        implements FrozenTargetSettings {
    @Override
    public Learner learner(RowSource rows) {
        return HeadLearner.of(keys, target -> new TrainedPrefix(target, keys, heads));
    }

    /// `train hydra-plus-plus`.
    public static final class Trainer extends HeadTrainer<HydraPlusPlusTraining> {
        public Trainer() {
            super(
                    HydraPlusPlusPlugin.NAME,
                    HydraPlusPlusTraining.class,
                    "Trains Hydra++ heads and their prefix layer on a target that stays as it is.",
                    "A layer attends to the target's hidden states; each head reads its state and the text's tokens before the guess, and learns the target's distribution.",
                    "train hydra-plus-plus --config configs/training/hydra-plus-plus.yaml");
        }
    }
}
