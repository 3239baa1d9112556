package dev.outrider.drafter.block;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `dflash`. Thread-safe.
public final class DFlashTrainer implements TrainerFactory<DFlashTraining> {
    @Override
    public String name() {
        return "dflash";
    }

    @Override
    public Class<DFlashTraining> configType() {
        return DFlashTraining.class;
    }

    @Override
    public String description() {
        return "Trains a DFlash head on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "The head learns from text to guess a block of tokens from the target's features in one pass: random places of every row are practised, later guesses count less.";
    }

    @Override
    public List<String> examples() {
        return List.of("train dflash --config configs/training/dflash.yaml");
    }

    @Override
    public Optional<String> train(DFlashTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
