package dev.outrider.drafter.mtp;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `lm-mtp`. Thread-safe.
public final class JointTrainer implements TrainerFactory<JointTraining> {
    @Override
    public String name() {
        return "lm-mtp";
    }

    @Override
    public Class<JointTraining> configType() {
        return JointTraining.class;
    }

    @Override
    public String description() {
        return "Trains a decoder from scratch together with multi-token prediction modules.";
    }

    @Override
    public String details() {
        return "Takes every configuration that outrider train lm takes.";
    }

    @Override
    public List<String> examples() {
        return List.of("train lm-mtp --config configs/training/target.yaml --set mtp.heads=2");
    }

    @Override
    public Optional<String> train(JointTraining config, TrainingContext context) {
        return Trainings.languageModel(config, Optional.of(config.mtp()), context);
    }
}
