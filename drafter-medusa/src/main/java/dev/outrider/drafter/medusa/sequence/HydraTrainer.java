package dev.outrider.drafter.medusa.sequence;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `hydra`. Thread-safe.
public final class HydraTrainer implements TrainerFactory<HydraTraining> {
    @Override
    public String name() {
        return "hydra";
    }

    @Override
    public Class<HydraTraining> configType() {
        return HydraTraining.class;
    }

    @Override
    public String description() {
        return "Trains Hydra heads on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "As train medusa, but each head also reads the tokens between the hidden state and what it guesses; in training they are the text's.";
    }

    @Override
    public List<String> examples() {
        return List.of("train hydra --config configs/training/hydra.yaml");
    }

    @Override
    public Optional<String> train(HydraTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
