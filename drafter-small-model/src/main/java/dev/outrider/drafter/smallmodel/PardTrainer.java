package dev.outrider.drafter.smallmodel;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `pard`. Thread-safe.
public final class PardTrainer implements TrainerFactory<PardTraining> {
    @Override
    public String name() {
        return "pard";
    }

    @Override
    public Class<PardTraining> configType() {
        return PardTraining.class;
    }

    @Override
    public String description() {
        return "Trains a draft model on to answer mask tokens, for drafts in one pass.";
    }

    @Override
    public String details() {
        return "A finished draft model learns to guess several tokens at once: at every place the next one, and at ever fewer places, drawn at random, further ones from masks. What it learns are the target's distributions.";
    }

    @Override
    public List<String> examples() {
        return List.of("train pard --config configs/training/pard.yaml");
    }

    @Override
    public Optional<String> train(PardTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
