package dev.outrider.drafter.eagle;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `eagle`. Thread-safe.
public final class EagleTrainer implements TrainerFactory<EagleTraining> {
    @Override
    public String name() {
        return "eagle";
    }

    @Override
    public Class<EagleTraining> configType() {
        return EagleTraining.class;
    }

    @Override
    public String description() {
        return "Trains an EAGLE-1 or EAGLE-3 head on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "The head learns from text to continue the target's features: EAGLE-1 by regression and the target's distribution, EAGLE-3 by practising several guesses in a row.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "train eagle --config configs/training/eagle1.yaml",
                "train eagle --config configs/training/eagle3.yaml --set training.learningRate.steps=200");
    }

    @Override
    public Optional<String> train(EagleTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
