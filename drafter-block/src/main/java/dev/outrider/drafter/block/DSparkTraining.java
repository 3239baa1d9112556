package dev.outrider.drafter.block;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.RowSource;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;

/// The configuration of `train dspark`.
public record DSparkTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("The backbone.") BlockPlan head,
        @Doc("The heads beside the backbone.") HeadPlan heads)
        implements HeadTraining {
    public DSparkTraining {
        Require.that(
                !heads.form().equals(HeadForm.NONE),
                "'heads' has neither a Markov nor a confidence head; use 'train dflash'");
    }

    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        return new TrainedBlock(target, keys, head, heads);
    }

    /// `train dspark`.
    public static final class Trainer extends HeadTrainer<DSparkTraining> {
        public Trainer() {
            super(
                    BlockHead.DSPARK.drafter(),
                    DSparkTraining.class,
                    "Trains a DSpark head on a target that stays as it is.",
                    "As train dflash, with a Markov head that adds to logits what depends on the token before, and a confidence head that learns how likely the target is to accept a guess.",
                    "train dspark --config configs/training/dspark.yaml");
        }
    }
}
