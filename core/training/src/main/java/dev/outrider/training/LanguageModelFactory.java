package dev.outrider.training;

import dev.outrider.common.NamedService;
import java.util.Optional;

/// Trains `lm`. Thread-safe.
public final class LanguageModelFactory extends NamedService<LanguageModelConfig>
        implements TrainerFactory<LanguageModelConfig> {
    /// Used by [java.util.ServiceLoader].
    public LanguageModelFactory() {
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
        return Trainings.languageModel(config, Optional.empty(), context);
    }
}
