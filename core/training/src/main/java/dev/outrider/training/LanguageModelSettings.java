package dev.outrider.training;

import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What a configuration says of training a decoder from scratch.
public interface LanguageModelSettings {
    /// {@return folder for the model}
    Path out();

    /// {@return the tokenizer.json to train with}
    Path tokenizer();

    /// {@return token that ends a document}
    String endOfText();

    /// {@return which made-up corpus to learn from where there are no data}
    long corpusSeed();

    /// {@return what to learn from; nothing for the made-up corpus}
    Optional<DataConfig> data();

    /// {@return numbers in the finished model}
    TrainingPlan.Storage storage();

    /// {@return sizes of the decoder}
    DecoderShape shape();

    /// {@return a checkpoint of that shape to begin with; nothing for random numbers}
    default Optional<Path> start() {
        return Optional.empty();
    }

    /// {@return how it is trained}
    TrainingConfig training();
}
