package dev.outrider.cli;

import dev.outrider.drafter.mtp.MtpTraining;
import jakarta.inject.Inject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The command `outrider train mtp`.
@Command(
        name = "mtp",
        description = {
            "Trains multi-token prediction modules on a target that stays as it is.",
            "",
            "One module can learn several steps, or several modules a step each. To train modules together with their target,"
                    + " use outrider train lm --mtp-heads."
        },
        footer = {
            "  outrider train mtp --config configs/train-mtp.yaml",
            "  outrider train mtp --config configs/train-mtp.yaml --set softLabels=0"
        })
final class TrainMtpCommand implements Callable<Integer> {
    private final FrozenTargetTraining training;

    @Mixin private TrainOptions options = new TrainOptions();

    @Inject
    TrainMtpCommand(FrozenTargetTraining training) {
        this.training = training;
    }

    @Override
    public Integer call() {
        return training.run(options, MtpTraining.class);
    }
}
