package dev.outrider.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files of a training run: the finished model in the Hugging Face layout, the loss curve, and the checkpoint of an
/// unfinished run. Every file is replaced whole, except the loss curve, which grows.
final class RunFolder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHECKPOINT = "checkpoint.safetensors";
    private static final String MODEL = "model.safetensors";

    private final Path folder;

    RunFolder(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
    }

    /// Refuses a folder that holds a model, or an unfinished run nobody wants to resume.
    ///
    /// @throws OutriderException `CONFIG_INVALID`
    static void requireFresh(Path folder, boolean resume) {
        boolean unfinished = Files.exists(folder.resolve(CHECKPOINT));
        if (unfinished && !resume) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' holds an unfinished run".formatted(folder),
                    "Add --resume to go on with it, or choose another folder with --set out=DIR.");
        }
        if (Files.exists(folder.resolve(MODEL))) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "'%s' already holds a finished model".formatted(folder),
                    "Choose another folder with --set out=DIR, or remove the model.");
        }
    }

    /// Where a run is.
    ///
    /// @param settings    what the run was started with; a resume must have the same
    /// @param step        steps done
    /// @param documents   documents read
    /// @param tokens      tokens predicted
    /// @param wallSeconds time spent
    record Position(String settings, long step, long documents, long tokens, double wallSeconds) {}

    /// A checkpoint.
    record Saved(Position position, AdamW.State state) {}

    Path checkpointFile() {
        return folder.resolve(CHECKPOINT);
    }

    void saveCheckpoint(Saved saved) {
        var position = saved.position();
        var metadata =
                Map.of(
                        "settings", position.settings(),
                        "step", "" + position.step(),
                        "documents", "" + position.documents(),
                        "tokens", "" + position.tokens(),
                        "wallSeconds", "" + position.wallSeconds());
        var tensors = new ArrayList<StoredTensor>();
        put(tensors, "weight", saved.state().weights());
        put(tensors, "first", saved.state().first());
        put(tensors, "second", saved.state().second());
        SafetensorsWriter.write(checkpointFile(), tensors, metadata);
    }

    /// The checkpoint of an unfinished run, if there is one.
    ///
    /// @throws OutriderException `CONFIG_INVALID` if the run was started with other settings
    Optional<Saved> checkpoint(String settings) {
        if (!Files.exists(checkpointFile())) {
            return Optional.empty();
        }
        try (var file = SafetensorsFile.open(checkpointFile())) {
            var metadata = file.metadata();
            var before = metadata.getOrDefault("settings", "");
            if (!before.equals(settings)) {
                throw new OutriderException(
                        ErrorCode.CONFIG_INVALID,
                        "%s holds an unfinished run with other settings: %s; expected %s"
                                .formatted(folder, before, settings),
                        "Continue with the settings of that run, choose another folder, or delete %s."
                                .formatted(checkpointFile()));
            }
            var position =
                    new Position(
                            settings,
                            Long.parseLong(metadata.getOrDefault("step", "0")),
                            Long.parseLong(metadata.getOrDefault("documents", "0")),
                            Long.parseLong(metadata.getOrDefault("tokens", "0")),
                            Double.parseDouble(metadata.getOrDefault("wallSeconds", "0")));
            return Optional.of(
                    new Saved(
                            position,
                            new AdamW.State(
                                    take(file, "weight"),
                                    take(file, "first"),
                                    take(file, "second"))));
        }
    }

    /// Write the finished model and drop the checkpoint.
    void finish(FinishedModel model, ObjectNode report) throws IOException {
        AtomicFile.write(folder.resolve("config.json"), model.configJson());
        if (model.tokenizer().isPresent()) {
            AtomicFile.write(
                    folder.resolve("tokenizer.json"), Files.readString(model.tokenizer().get()));
        }
        AtomicFile.write(
                folder.resolve("training.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
        SafetensorsWriter.write(folder.resolve(MODEL), model.tensors(), Map.of("format", "pt"));
        Files.deleteIfExists(checkpointFile());
    }

    /// The loss curve, cut back to a step: what a killed run wrote after its last checkpoint is written again.
    LossCurve lossCurve(long lastStep) throws IOException {
        return LossCurve.open(folder.resolve("loss-curve.jsonl"), lastStep);
    }

    private static void put(List<StoredTensor> tensors, String group, List<float[]> values) {
        for (int i = 0; i < values.size(); i++) {
            tensors.add(
                    StoredTensor.ofFloats(group + "." + i, values.get(i), values.get(i).length));
        }
    }

    private static List<float[]> take(SafetensorsFile file, String group) {
        var values = new ArrayList<float[]>();
        for (var tensor = file.tensor(group + ".0");
                tensor.isPresent();
                tensor = file.tensor(group + "." + values.size())) {
            values.add(tensor.get().toFloats());
        }
        return values;
    }
}
