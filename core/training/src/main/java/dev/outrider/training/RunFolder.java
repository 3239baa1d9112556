package dev.outrider.training;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.Learner.FinishedModel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files of a training run: the finished model in the Hugging Face layout, the loss curve, and the checkpoint of an
/// unfinished run. Every file is replaced atomically, except the loss curve, which grows.
final class RunFolder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CHECKPOINT = "checkpoint.safetensors";
    private static final String MODEL = "model.safetensors";
    private static final String BEST = "best-";

    private final Path folder;

    RunFolder(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
    }

    /// Refuses a folder that holds a model, or an unfinished run that is not to be resumed.
    ///
    /// @throws OutriderException `CONFIG_INVALID`
    static void requireFresh(Path folder, boolean resume) {
        boolean unfinished = Files.exists(folder.resolve(CHECKPOINT));
        if (unfinished && !resume) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'%s' holds an unfinished run".formatted(folder),
                    "Add --resume to go on with it, or choose another folder with --set out=DIR.");
        }
        if (Files.exists(folder.resolve(MODEL))) {
            throw ErrorCode.CONFIG_INVALID.error(
                    "'%s' already holds a finished model".formatted(folder),
                    "Choose another folder with --set out=DIR, or remove the model.");
        }
    }

    /// The position of a run.
    ///
    /// @param settings    settings of the run; a resumed run must have the same
    /// @param step        steps done
    /// @param documents   documents read
    /// @param tokens      tokens predicted
    /// @param wallSeconds time spent
    /// @param best        the best parameters so far, which are in a separate file
    record Position(
            String settings,
            long step,
            long documents,
            long tokens,
            double wallSeconds,
            Optional<Best> best) {
        /// Returns the position before the first step.
        static Position initial(String settings) {
            return new Position(settings, 0, 0, 0, 0, Optional.empty());
        }
    }

    /// The step of the best parameters.
    ///
    /// @param step  number of the step
    /// @param loss  of their validation
    record Best(long step, double loss) {}

    /// A checkpoint.
    record Saved(Position position, AdamW.State state) {}

    Path checkpointFile() {
        return folder.resolve(CHECKPOINT);
    }

    void saveCheckpoint(Saved saved) {
        var position = saved.position();
        var metadata = new HashMap<String, String>();
        metadata.put("settings", position.settings());
        metadata.put("step", "" + position.step());
        metadata.put("documents", "" + position.documents());
        metadata.put("tokens", "" + position.tokens());
        metadata.put("wallSeconds", "" + position.wallSeconds());
        position.best()
                .ifPresent(best -> {
                    metadata.put("bestStep", "" + best.step());
                    metadata.put("bestLoss", "" + best.loss());
                });
        var tensors = new ArrayList<StoredTensor>();
        put(tensors, "weight", saved.state().weights());
        put(tensors, "first", saved.state().first());
        put(tensors, "second", saved.state().second());
        SafetensorsWriter.write(checkpointFile(), tensors, metadata);
        dropBest(position.best().map(best -> bestFile(best.step())));
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
                throw ErrorCode.CONFIG_INVALID.error(
                        "%s holds an unfinished run with other settings, or of a version that writes them otherwise: %s; expected %s"
                                .formatted(folder, before, settings),
                        "Continue with the settings and the version of that run, choose another folder, or delete %s."
                                .formatted(checkpointFile()));
            }
            var position =
                    new Position(
                            settings,
                            Long.parseLong(metadata.getOrDefault("step", "0")),
                            Long.parseLong(metadata.getOrDefault("documents", "0")),
                            Long.parseLong(metadata.getOrDefault("tokens", "0")),
                            Double.parseDouble(metadata.getOrDefault("wallSeconds", "0")),
                            Optional.ofNullable(metadata.get("bestStep"))
                                    .map(step ->
                                            new Best(
                                                    Long.parseLong(step),
                                                    Double.parseDouble(
                                                            metadata.getOrDefault(
                                                                    "bestLoss", "NaN")))));
            return Optional.of(
                    new Saved(
                            position,
                            new AdamW.State(
                                    take(file, "weight"),
                                    take(file, "first"),
                                    take(file, "second"))));
        }
    }

    /// Stores the parameters of a step. They stay until a checkpoint has recorded better ones, so that a run that is killed in
    /// between finds the parameters that its checkpoint names.
    void saveBest(long step, List<float[]> weights) {
        var tensors = new ArrayList<StoredTensor>();
        put(tensors, "weight", weights);
        SafetensorsWriter.write(bestFile(step), tensors, Map.of());
    }

    /// Returns the stored parameters of a step.
    List<float[]> best(long step) {
        try (var file = SafetensorsFile.open(bestFile(step))) {
            return take(file, "weight");
        }
    }

    /// Writes the finished model and deletes the checkpoint.
    void finish(FinishedModel model, ObjectNode report) throws IOException {
        AtomicFile.write(
                folder.resolve("training.json"),
                JSON.writerWithDefaultPrettyPrinter().writeValueAsString(report) + "\n");
        AtomicFile.write(folder.resolve("config.json"), model.configJson());
        if (model.tokenizer().isPresent()) {
            AtomicFile.write(
                    folder.resolve("tokenizer.json"), Files.readString(model.tokenizer().get()));
        }
        SafetensorsWriter.write(folder.resolve(MODEL), model.tensors(), Map.of("format", "pt"));
        Files.deleteIfExists(checkpointFile());
        dropBest(Optional.empty());
    }

    private Path bestFile(long step) {
        return folder.resolve(BEST + step + ".safetensors");
    }

    private void dropBest(Optional<Path> but) {
        try (var files = Files.newDirectoryStream(folder, BEST + "*.safetensors")) {
            for (var file : files) {
                if (but.filter(file::equals).isEmpty()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the loss curve, cut back to a step: lines that a killed run wrote after its last checkpoint are written again.
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

    /// The loss curve as JSON Lines, one record appended at a time.
    record LossCurve(Path file) {
        private static final ObjectMapper JSON = new ObjectMapper();

        static LossCurve open(Path file, long lastStep) throws IOException {
            List<String> kept = List.of();
            if (Files.exists(file)) {
                kept =
                        Files.readAllLines(file).stream()
                                .filter(line -> stepOf(line) <= lastStep)
                                .toList();
            }
            Files.write(file, kept, StandardCharsets.UTF_8);
            return new LossCurve(file);
        }

        void append(TrainingProgress.Step step) throws IOException {
            var json =
                    JSON.createObjectNode().put("step", step.step()).put("tokens", step.tokens());
            json.put("loss", rounded(step.loss()));
            json.put("lr", step.learningRate());
            step.validationLoss().ifPresent(loss -> json.put("validationLoss", rounded(loss)));
            step.measures().forEach((name, value) -> json.put(name, rounded(value)));
            json.put("tokensPerSecond", Math.round(step.tokensPerSecond()));
            Files.writeString(
                    file,
                    json + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }

        /// Returns the step of a line. A line that a kill has cut short is after the last checkpoint and is dropped.
        private static long stepOf(String line) {
            try {
                return JSON.readTree(line).path("step").asLong(Long.MAX_VALUE);
            } catch (IOException cutShort) {
                return Long.MAX_VALUE;
            }
        }

        private static double rounded(double loss) {
            return Math.round(loss * 1e5) / 1e5;
        }
    }
}
