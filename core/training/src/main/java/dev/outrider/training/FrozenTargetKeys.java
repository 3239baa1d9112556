package dev.outrider.training;

import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// The keys that trainings on a target that stays as it is have in common, for a configuration to take in with
/// [dev.outrider.spi.config.Inline].
public record FrozenTargetKeys(
        @Doc("Folder for the heads; an unfinished run there can be resumed.") Path out,
        @Doc("Folder of the target the heads are for; it is not changed.") Path target,
        @Doc("Number format of the target's weights while it is read: f32 or bf16.") @Default("f32")
                Precision targetPrecision,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished heads.") @Default("bfloat16") TrainingPlan.Storage storage,
        @Doc("How they are trained.") TrainingConfig training) {
    public FrozenTargetKeys {
        if (training.distillation().isPresent()) {
            throw new IllegalArgumentException(
                    "'training.distillation' is for decoders; 'heads.labels: target' makes heads"
                            + " learn from the target");
        }
    }

    /// The target, to be closed by the caller.
    ///
    /// @throws OutriderException as [FrozenTarget#load]
    public FrozenTarget load() {
        return FrozenTarget.load(target, targetPrecision);
    }

    /// What reports call the target: its folder's name.
    public String targetName() {
        return String.valueOf(target.toAbsolutePath().normalize().getFileName());
    }
}
