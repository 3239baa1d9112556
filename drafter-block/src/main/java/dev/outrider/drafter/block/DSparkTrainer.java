package dev.outrider.drafter.block;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `dspark`. Thread-safe.
public final class DSparkTrainer implements TrainerFactory<DSparkTraining> {
    @Override
    public String name() {
        return "dspark";
    }

    @Override
    public Class<DSparkTraining> configType() {
        return DSparkTraining.class;
    }

    @Override
    public String description() {
        return "Trains a DSpark head on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "As train dflash, with a Markov head that adds what the token before says, and a confidence head that learns how likely the target is to accept a guess.";
    }

    @Override
    public List<String> examples() {
        return List.of("train dspark --config configs/training/dspark.yaml");
    }

    @Override
    public Optional<String> train(DSparkTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
