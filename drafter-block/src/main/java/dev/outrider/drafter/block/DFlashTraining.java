package dev.outrider.drafter.block;

import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.FrozenTarget;
import dev.outrider.training.FrozenTargetSettings;
import dev.outrider.training.Learner;
import dev.outrider.training.RowSource;
import dev.outrider.training.TrainingConfig;
import dev.outrider.training.TrainingPlan;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// What `outrider train dflash` reads.
public record DFlashTraining(
        @Doc("Folder for the head; an unfinished run there can be resumed.") Path out,
        @Doc("Folder of the target the head is for; it is not changed.") Path target,
        @Doc("Number format of the target's weights while it is read: f32 or bf16.") @Default("f32")
                Precision targetPrecision,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished head.") @Default("bfloat16") TrainingPlan.Storage storage,
        @Doc("The backbone.") BlockPlan head,
        @Doc("How it is trained.") TrainingConfig training)
        implements FrozenTargetSettings {
    public DFlashTraining {
        if (training.distillation().isPresent()) {
            throw new IllegalArgumentException(
                    "'training.distillation' is for decoders; heads always learn from the target");
        }
    }

    @Override
    public Learner learner(RowSource rows) {
        var name = String.valueOf(target.toAbsolutePath().normalize().getFileName());
        return new BlockLearner(
                FrozenTarget.load(target, targetPrecision),
                name,
                head,
                HeadPlan.NONE,
                training,
                storage);
    }
}
