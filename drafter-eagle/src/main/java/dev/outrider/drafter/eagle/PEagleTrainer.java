package dev.outrider.drafter.eagle;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `p-eagle`. Thread-safe.
public final class PEagleTrainer implements TrainerFactory<PEagleTraining> {
    @Override
    public String name() {
        return "p-eagle";
    }

    @Override
    public Class<PEagleTraining> configType() {
        return PEagleTraining.class;
    }

    @Override
    public String description() {
        return "Trains a P-EAGLE head on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "The head learns from text to guess several tokens in one pass: at every place the next one, and at ever fewer places, drawn at random, further ones from masks.";
    }

    @Override
    public List<String> examples() {
        return List.of("train p-eagle --config configs/training/p-eagle.yaml");
    }

    @Override
    public Optional<String> train(PEagleTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
