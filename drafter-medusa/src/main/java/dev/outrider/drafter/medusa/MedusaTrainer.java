package dev.outrider.drafter.medusa;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `medusa`. Thread-safe.
public final class MedusaTrainer implements TrainerFactory<MedusaTraining> {
    @Override
    public String name() {
        return "medusa";
    }

    @Override
    public Class<MedusaTraining> configType() {
        return MedusaTraining.class;
    }

    @Override
    public String description() {
        return "Trains Medusa heads on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "The heads learn from text what follows the target's hidden states.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "train medusa --config configs/training/medusa.yaml",
                "train medusa --config configs/training/medusa.yaml --set heads.projection=target");
    }

    @Override
    public Optional<String> train(MedusaTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
