package dev.outrider.drafter.medusa.sequence;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `redrafter`. Thread-safe.
public final class RedrafterTrainer implements TrainerFactory<RedrafterTraining> {
    @Override
    public String name() {
        return "redrafter";
    }

    @Override
    public Class<RedrafterTraining> configType() {
        return RedrafterTraining.class;
    }

    @Override
    public String description() {
        return "Trains ReDrafter's recurrent head on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "As train medusa, but one head makes all guesses; it reads a state that goes from token to token, in training along the text.";
    }

    @Override
    public List<String> examples() {
        return List.of("train redrafter --config configs/training/redrafter.yaml");
    }

    @Override
    public Optional<String> train(RedrafterTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
