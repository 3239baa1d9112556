package dev.outrider.training;

import dev.outrider.common.Require;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.training.data.DataConfig;
import java.nio.file.Path;
import java.util.Optional;

/// The common keys of trainings on a target that does not change; a configuration includes them with
/// [dev.outrider.spi.config.Inline].
public record FrozenTargetKeys(
        @Doc("Folder for what is trained; an unfinished run there can be resumed.") Path out,
        @Doc("Folder of the target that it is for; it is not changed.") Path target,
        @Doc("Number format of the target's weights while it is read: f32 or bf16.") @Default("f32")
                Precision targetPrecision,
        @Doc("Token that ends a document.") @Default("<|endoftext|>") String endOfText,
        @Doc("Names the made-up corpus to learn from, where there is no 'data'.") @Default("1")
                long corpusSeed,
        @Doc("Files to learn from.") Optional<DataConfig> data,
        @Doc("Numbers in the finished file.") @Default("bfloat16") TrainingPlan.Storage storage,
        @Doc("How it is trained.") TrainingConfig training) {
    /// A configuration with these keys.
    public interface Holder {
        /// Returns the keys.
        FrozenTargetKeys keys();
    }

    public FrozenTargetKeys {
        Require.that(
                !training.distillation().isPresent(),
                "'training.distillation' is for decoders; here the target is the teacher already");
    }

    /// Loads the target, which the caller closes.
    ///
    /// @throws dev.outrider.spi.error.OutriderException as [FrozenTarget#load]
    public FrozenTarget load() {
        return FrozenTarget.load(target, targetPrecision);
    }

    /// Returns the target's name in reports, which is that of its folder.
    public String targetName() {
        return String.valueOf(target.toAbsolutePath().normalize().getFileName());
    }
}
