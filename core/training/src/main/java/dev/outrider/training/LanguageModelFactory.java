package dev.outrider.training;

import java.util.List;
import java.util.Optional;

/// Trains `lm`. Thread-safe.
public final class LanguageModelFactory implements TrainerFactory<LanguageModelConfig> {
    @Override
    public String name() {
        return "lm";
    }

    @Override
    public Class<LanguageModelConfig> configType() {
        return LanguageModelConfig.class;
    }

    @Override
    public String description() {
        return "Trains a decoder from scratch on your data or the made-up corpus, or distils it from a larger one.";
    }

    @Override
    public String details() {
        return "Writes a Hugging Face folder with the loss curve beside the model.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "train lm --config configs/training/target.yaml",
                "train lm --config configs/training/target.yaml --resume");
    }

    @Override
    public Optional<String> train(LanguageModelConfig config, TrainingContext context) {
        return Trainings.languageModel(config, Optional.empty(), context);
    }
}
