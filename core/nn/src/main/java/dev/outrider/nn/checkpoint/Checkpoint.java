package dev.outrider.nn.checkpoint;

import dev.outrider.common.NearestName;
import dev.outrider.common.ShapedPath;
import dev.outrider.nn.gguf.GgufFile;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A checkpoint: a directory in the Hugging Face layout (`config.json`, `model.safetensors` or its
/// index, `tokenizer.json`), or a GGUF file, which contains all of these.
///
/// @param path the directory or file
public record Checkpoint(Path path) {
    private static final String WEIGHTS = "model.safetensors";
    private static final String INDEX = WEIGHTS + ".index.json";

    /// `models--ORG--NAME/snapshots/COMMIT`.
    private static final int HUB_PARTS = 3;

    private static final List<String> PICKLE_ENDINGS = List.of(".bin", ".pt", ".pth", ".ckpt");

    /// @throws OutriderException `CHECKPOINT_NOT_FOUND` if there is no such directory
    public Checkpoint {
        if (!Files.isDirectory(path) && !GgufFile.is(path)) {
            ShapedPath.of(path)
                    .filter(each -> Files.exists(each.source()))
                    .ifPresent(shaped -> {
                        throw ErrorCode.CHECKPOINT_NOT_FOUND.error(
                                "'%s' names '%s' in the shape '%s'; expected a checkpoint as it is, because only targets and drafters that are run may have a shape"
                                        .formatted(path, shaped.source(), shaped.shape()),
                                "Give the path without '@%s'.".formatted(shaped.shape()));
                    });
            throw ErrorCode.CHECKPOINT_NOT_FOUND.error(
                    Files.exists(path)
                            ? "'%s' is a file; expected the directory of a checkpoint, or a GGUF file"
                                    .formatted(path)
                            : "there is no %s '%s'%s"
                                    .formatted(
                                            GgufFile.named(path) ? "file" : "directory",
                                            path,
                                            NearestName.hint(path)),
                    "Give the directory that holds config.json and model.safetensors, or a GGUF file.");
        }
    }

    /// Returns the model's name: the folder's, or the file's without its ending; in the hub's
    /// cache, where folders are named by commits, `ORG/NAME`.
    public String name() {
        var whole = path.toAbsolutePath().normalize();
        var last = String.valueOf(whole.getFileName());
        if (gguf().isPresent()) {
            return last.substring(0, last.lastIndexOf('.'));
        }
        int parts = whole.getNameCount();
        if (parts >= HUB_PARTS && whole.getName(parts - 2).toString().equals("snapshots")) {
            var model = whole.getName(parts - HUB_PARTS).toString().split("--");
            if (model.length == HUB_PARTS && model[0].equals("models")) {
                return model[1] + "/" + model[2];
            }
        }
        return last;
    }

    /// Returns the GGUF file, if it is one.
    public Optional<Path> gguf() {
        return GgufFile.is(path) ? Optional.of(path) : Optional.empty();
    }

    /// Returns the model's `config.json`.
    ///
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE` if there is none
    public Path config() {
        return optional("config.json").orElseThrow(() -> incomplete("config.json"));
    }

    /// Returns the defaults for generation, such as further end-of-sequence ids.
    public Optional<Path> generationConfig() {
        return optional("generation_config.json");
    }

    /// Returns the path of the tokenizer, which may be missing.
    public Path tokenizer() {
        return gguf().orElseGet(() -> path.resolve("tokenizer.json"));
    }

    /// Returns a file of the directory, if present.
    public Optional<Path> optional(String name) {
        var file = path.resolve(name);
        return Files.isRegularFile(file) ? Optional.of(file) : Optional.empty();
    }

    /// Opens the weights: those of the GGUF file, or `model.safetensors`, else the files of its index.
    ///
    /// @throws OutriderException `PICKLE_REFUSED` if there are only pickled weights, `CHECKPOINT_INCOMPLETE` if
    ///                           there are none, otherwise as [CheckpointTensors#ofFile],
    ///                           [CheckpointTensors#ofIndex] and [CheckpointTensors#ofGguf]
    public CheckpointTensors openTensors() {
        if (gguf().isPresent()) {
            return CheckpointTensors.ofGguf(path);
        }
        var file = optional(WEIGHTS);
        if (file.isPresent()) {
            return CheckpointTensors.ofFile(file.get());
        }
        var index = optional(INDEX);
        if (index.isPresent()) {
            return CheckpointTensors.ofIndex(index.get());
        }
        throw named(PICKLE_ENDINGS).map(this::pickleRefused).orElseGet(() -> incomplete(WEIGHTS));
    }

    private Optional<String> named(List<String> endings) {
        try (var files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> endings.stream().anyMatch(name::endsWith))
                    .sorted()
                    .findFirst();
        } catch (IOException e) {
            throw ErrorCode.IO_FAILED.error(
                    "the directory '%s' cannot be listed: %s".formatted(path, e.getMessage()),
                    "Check that the directory may be read.",
                    e);
        }
    }

    private OutriderException pickleRefused(String name) {
        return ErrorCode.PICKLE_REFUSED.error(
                "'%s' has its weights only as a pickle, '%s', and loading a pickle can run any code; expected %s"
                        .formatted(path, name, WEIGHTS),
                "Take a safetensors version of the model, or convert it where you trust it: in Python,"
                        + " AutoModelForCausalLM.from_pretrained(dir).save_pretrained(dir, safe_serialization=True).");
    }

    private OutriderException incomplete(String name) {
        var gguf = named(List.of(".gguf"));
        if (gguf.isPresent()) {
            return ErrorCode.CHECKPOINT_INCOMPLETE.error(
                    "'%s' has no %s, but '%s'".formatted(path, name, gguf.get()),
                    "Give the path of the GGUF file itself.");
        }
        return ErrorCode.CHECKPOINT_INCOMPLETE.error(
                "'%s' has no %s".formatted(path, name),
                "Download the whole checkpoint into this directory.");
    }
}
