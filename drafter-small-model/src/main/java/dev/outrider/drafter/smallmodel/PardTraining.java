package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.DepthPlan;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.MaskedDecoder;
import dev.outrider.training.RowSource;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What `outrider train pard` reads.
public record PardTraining(
        @Doc("Folder for the model; an unfinished run there can be resumed.") Path out,
        @Doc("Folder of the target that it learns from; it is not changed.") Path target,
        @Doc("Number format of the target's weights while it is read: f32 or bf16.") @Default("f32")
                Precision targetPrecision,
        @Doc("Folder of the draft model that learns on; it has the target's tokenizer.") Path start,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished model.") @Default("bfloat16") TrainingPlan.Storage storage,
        @Doc("What is practised.") DepthPlan masks,
        @Doc("How the model's distribution is compared with the target's.") @Default("forward-kl")
                Divergence divergence,
        @Doc("How it is trained.") TrainingConfig training)
        implements FrozenTargetSettings {
    public PardTraining {
        if (training.distillation().isPresent()) {
            throw new IllegalArgumentException(
                    "'training.distillation' is for 'train lm'; here the target is the teacher");
        }
    }

    @Override
    public Learner learner(RowSource rows) {
        var model = MaskedDecoder.read(start);
        return new PardLearner(FrozenTarget.load(target, targetPrecision), model, this);
    }
}
