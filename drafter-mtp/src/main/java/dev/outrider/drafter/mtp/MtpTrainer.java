package dev.outrider.drafter.mtp;

import dev.outrider.training.TrainerFactory;
import dev.outrider.training.TrainingContext;
import dev.outrider.training.Trainings;
import java.util.List;
import java.util.Optional;

/// Trains `mtp`. Thread-safe.
public final class MtpTrainer implements TrainerFactory<MtpTraining> {
    @Override
    public String name() {
        return "mtp";
    }

    @Override
    public Class<MtpTraining> configType() {
        return MtpTraining.class;
    }

    @Override
    public String description() {
        return "Trains multi-token prediction modules on a target that stays as it is.";
    }

    @Override
    public String details() {
        return "One module can learn several steps, or several modules a step each. To train modules together with their target, use outrider train lm-mtp.";
    }

    @Override
    public List<String> examples() {
        return List.of(
                "train mtp --config configs/training/mtp.yaml",
                "train mtp --config configs/training/mtp.yaml --set softLabels=0");
    }

    @Override
    public Optional<String> train(MtpTraining config, TrainingContext context) {
        return Trainings.onFrozenTarget(config, context);
    }
}
