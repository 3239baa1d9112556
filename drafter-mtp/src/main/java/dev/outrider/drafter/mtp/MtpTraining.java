package dev.outrider.drafter.mtp;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train mtp`.
public record MtpTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The modules.") @Default("{}") MtpModules modules,
        @Doc(
                        "Weight of the target's own distributions as labels, 0 to 1; the text's tokens have the rest.")
                @Default("1")
                double softLabels,
        @Doc("How the modules' distributions are compared with the target's.")
                @Default("forward-kl")
                Divergence divergence)
        implements HeadTraining {
    public MtpTraining {
        Require.that(
                softLabels >= 0 && softLabels <= 1,
                "softLabels %s is not between 0 and 1",
                softLabels);
    }

    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedModules(target, this);
    }

    /// `train mtp`.
    public static final class Trainer extends HeadTrainer<MtpTraining> {
        public Trainer() {
            super(
                    MtpHead.NAME,
                    MtpTraining.class,
                    "Trains multi-token prediction modules on a target that stays as it is.",
                    "One module can learn several steps, or several modules a step each. To train modules together with their target, use outrider train lm-mtp.",
                    "train mtp --config configs/training/mtp.yaml",
                    "train mtp --config configs/training/mtp.yaml --set softLabels=0");
        }
    }
}
