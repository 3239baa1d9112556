package dev.outrider.training;

import dev.outrider.common.NamedService;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// The configuration of `outrider train encoder-decoder`.
public record EncoderDecoderTraining(
        @Doc("Folder for the model; an unfinished run there can be resumed.") Path out,
        @Doc("The tokenizer.json to train with; copied beside the model.") Path tokenizer,
        @Doc("Token that ends an answer.") @Default("</s>") String endOfText,
        @Doc("Token that fills rows up, and that the decoder starts from.") @Default("<pad>")
                String pad,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from: records with a prompt, which is the source, and a completion.")
                Optional<DataConfig> data,
        @Doc("Numbers in the finished model.") @Default("float32") TrainingPlan.Storage storage,
        @Doc("Sizes of the encoder-decoder.") EncoderDecoderShape shape,
        @Doc("Tokens of the longest source; what is longer is cut.") int sourceTokens,
        @Doc("How it is trained; contextTokens are those of the longest answer.")
                TrainingConfig training) {
    /// Trains `encoder-decoder`. Thread-safe.
    public static final class Trainer extends NamedService<EncoderDecoderTraining>
            implements TrainerFactory<EncoderDecoderTraining> {
        public Trainer() {
            super(
                    "encoder-decoder",
                    EncoderDecoderTraining.class,
                    "Trains an encoder-decoder like T5 from scratch on pairs of the made-up corpus, or distils it from a larger one.",
                    "Writes a Hugging Face folder with the loss curve beside the model.",
                    "train encoder-decoder --config configs/training/t5-target.yaml",
                    "train encoder-decoder --config configs/training/t5-small.yaml --resume");
        }

        @Override
        public Optional<String> train(EncoderDecoderTraining config, TrainingContext context) {
            return Trainings.encoderDecoder(config, context);
        }
    }
}
