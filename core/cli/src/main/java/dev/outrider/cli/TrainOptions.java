package dev.outrider.cli;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The options of every command that trains.
final class TrainOptions {
    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "What to train.")
    private Path config = Path.of("");

    @Mixin private SetOption set = new SetOption();

    @Option(names = "--resume", description = "Go on with the unfinished run in the folder.")
    private boolean resume;

    Path config() {
        return config;
    }

    List<String> changes() {
        return set.values();
    }

    /// @throws OutriderException `CONFIG_INVALID` if the folder holds a model, or an unfinished run nobody wants to resume
    void requireFresh(Path folder) {
        boolean unfinished = Files.exists(folder.resolve("checkpoint.safetensors"));
        if (unfinished && !resume) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' holds an unfinished run".formatted(folder),
                    "Add --resume to go on with it, or choose another folder with --set out=DIR.");
        }
        if (Files.exists(folder.resolve("model.safetensors"))) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' already holds a finished model".formatted(folder),
                    "Choose another folder with --set out=DIR, or remove the model.");
        }
    }
}
