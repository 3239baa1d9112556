package dev.outrider.training;

import dev.outrider.common.NamedService;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// The configuration of `outrider train lm`. The configuration of a decoder with companions includes it with
/// [dev.outrider.spi.config.Inline].
public record LanguageModelConfig(
        @Doc("Folder for the model; an unfinished run there can be resumed.") Path out,
        @Doc("The tokenizer.json to train with; copied beside the model.") Path tokenizer,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished model.") @Default("float32") TrainingPlan.Storage storage,
        @Doc("Sizes of the decoder.") DecoderShape shape,
        @Doc(
                        "Folder of a checkpoint of that shape whose numbers the run begins with. Left out: random ones.")
                Optional<Path> start,
        @Doc("How it is trained.") TrainingConfig training) {
    /// A configuration with these keys.
    public interface Holder {
        /// Returns the keys.
        LanguageModelConfig decoder();
    }

    /// Trains `lm`. Thread-safe.
    public static final class Trainer extends NamedService<LanguageModelConfig>
            implements TrainerFactory<LanguageModelConfig> {
        public Trainer() {
            super(
                    "lm",
                    LanguageModelConfig.class,
                    "Trains a decoder from scratch on your data or the made-up corpus, or distils it from a larger one.",
                    "Writes a Hugging Face folder with the loss curve beside the model.",
                    "train lm --config configs/training/target.yaml",
                    "train lm --config configs/training/target.yaml --resume");
        }

        @Override
        public Optional<String> train(LanguageModelConfig config, TrainingContext context) {
            return Trainings.languageModel(config, context);
        }
    }
}
