package dev.outrider.drafter.mtp;

import dev.outrider.common.NamedService;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.DecoderShape;
import dev.outrider.training.LanguageModelSettings;
import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.Trainings;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What `outrider train lm-mtp` reads: what `train lm` reads, and the modules.
public record JointTraining(
        @Doc("Folder for the model; an unfinished run there can be resumed.") Path out,
        @Doc("The tokenizer.json to train with; copied beside the model.") Path tokenizer,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished model.") @Default("float32") TrainingPlan.Storage storage,
        @Doc("Sizes of the decoder.") DecoderShape shape,
        @Doc("Multi-token prediction modules that are trained with it.") @Default("{}")
                JointModules mtp,
        @Doc("How it is trained.") TrainingConfig training)
        implements LanguageModelSettings {
    /// `train lm-mtp`.
    public static final class Trainer extends NamedService<JointTraining>
            implements TrainerFactory<JointTraining> {
        /// Used by [java.util.ServiceLoader].
        public Trainer() {
            super(
                    "lm-mtp",
                    JointTraining.class,
                    "Trains a decoder from scratch together with multi-token prediction modules.",
                    "Takes every configuration that outrider train lm takes.",
                    "train lm-mtp --config configs/training/target.yaml --set mtp.heads=2");
        }

        @Override
        public Optional<String> train(JointTraining config, TrainingContext context) {
            return Trainings.languageModel(config, Optional.of(config.mtp()), context);
        }
    }
}
