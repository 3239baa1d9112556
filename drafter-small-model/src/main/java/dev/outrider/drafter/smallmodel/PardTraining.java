package dev.outrider.drafter.smallmodel;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetKeys;
import dev.outrider.training.MaskedDecoder;
import dev.outrider.training.RowSource;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import dev.outrider.training.head.HeadTrainer;
import dev.outrider.training.head.HeadTraining;
import dev.outrider.training.head.TrainedHead;
import java.nio.file.Path;

/// The configuration of `train pard`.
public record PardTraining(
        @Inline FrozenTargetKeys keys,
        @Doc("Folder of the draft model that learns on; it has the target's tokenizer.") Path start,
        @Doc("The guesses in a row that are learned.") DepthPlan masks,
        @Doc("How the model's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence)
        implements HeadTraining {
    @Override
    public TrainedHead head(FrozenTarget target, RowSource rows) {
        var model = MaskedDecoder.read(start);
        return new TrainedPard(target, model, this);
    }

    /// `train pard`.
    public static final class Trainer extends HeadTrainer<PardTraining> {
        public Trainer() {
            super(
                    "pard",
                    PardTraining.class,
                    "Trains a draft model on to answer mask tokens, for drafts in one pass.",
                    "A finished draft model learns the target's distributions for several tokens at once: of the next token at every place, and of further ones, from masks, at fewer and fewer places drawn at random.",
                    "train pard --config configs/training/pard.yaml");
        }
    }
}
