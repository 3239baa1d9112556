package dev.outrider.drafter.mtp;

import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.Divergence;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What `outrider train mtp` reads.
public record MtpTraining(
        @Doc("Folder for the modules; an unfinished run there can be resumed.") Path out,
        @Doc("Folder of the target the modules are for; it is not changed.") Path target,
        @Doc("Number format of the target's weights while it is read: f32 or bf16.") @Default("f32")
                Precision targetPrecision,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished modules.") @Default("bfloat16") TrainingPlan.Storage storage,
        @Doc("The modules.") @Default("{}") MtpModules modules,
        @Doc(
                        "Weight of the target's own distributions as labels, 0 to 1; the text's tokens have the rest.")
                @Default("1")
                double softLabels,
        @Doc("How the modules' distributions are compared with the target's.")
                @Default("forward-kl")
                Divergence divergence,
        @Doc("How they are trained.") TrainingConfig training)
        implements FrozenTargetSettings {
    public MtpTraining {
        if (training.distillation().isPresent()) {
            throw new IllegalArgumentException(
                    "'training.distillation' is for decoders; 'softLabels' makes modules learn from the target");
        }
    }

    @Override
    public Learner learner(RowSource rows) {
        return new MtpLearner(
                FrozenTarget.load(target, targetPrecision),
                modules,
                new MtpLearner.Settings(
                        softLabels,
                        divergence,
                        training.precision(),
                        training.contextTokens(),
                        storage));
    }
}
