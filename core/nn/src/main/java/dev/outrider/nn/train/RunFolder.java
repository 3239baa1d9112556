package dev.outrider.nn.train;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.common.AtomicFile;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The files of a training run: the finished model in the Hugging Face layout, the loss curve, and the checkpoint of an
/// unfinished run. Every file is replaced whole, except the loss curve, which grows.
final class RunFolder {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MODEL = "model.safetensors";

    private final Path folder;

    RunFolder(Path folder) throws IOException {
        this.folder = folder;
        Files.createDirectories(folder);
    }

    /// Where a run is.
    ///
    /// @param settings    what the run was started with; a resume must have the same
    /// @param step        steps done
    /// @param documents   documents read
    /// @param wallSeconds time spent
    record Position(String settings, long step, long documents, double wallSeconds) {}

    /// A checkpoint.
    record Saved(Position position, DecoderTrainer.State state) {}

    Path checkpointFile() {
        return folder.resolve("checkpoint.safetensors");
    }

    void saveCheckpoint(Saved saved) throws IOException {
        var position = saved.position();
        var metadata =
                Map.of(
                        "settings", position.settings(),
                        "step", "" + position.step(),
                        "documents", "" + position.documents(),
                        "wallSeconds", "" + position.wallSeconds());
        var tensors = new LinkedHashMap<String, TensorFile.Entry>();
        put(tensors, "weight", saved.state().weights());
        put(tensors, "first", saved.state().first());
        put(tensors, "second", saved.state().second());
        TensorFile.write(
                checkpointFile(),
                new TensorFile.Content(metadata, tensors),
                TensorFile.Storage.F32);
    }

    /// The checkpoint of an unfinished run, if there is one.
    ///
    /// @throws OutriderException `CONFIG_INVALID` if the run was started with other settings
    Optional<Saved> checkpoint(String settings) throws IOException {
        if (!Files.exists(checkpointFile())) {
            return Optional.empty();
        }
        var content = TensorFile.read(checkpointFile());
        var metadata = content.metadata();
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
                        Double.parseDouble(metadata.getOrDefault("wallSeconds", "0")));
        return Optional.of(
                new Saved(
                        position,
                        new DecoderTrainer.State(
                                take(content, "weight"),
                                take(content, "first"),
                                take(content, "second"))));
    }

    /// Write the finished model and drop the checkpoint.
    void finish(
            DecoderTrainer trainer,
            TensorFile.Storage storage,
            int endOfText,
            ObjectNode report,
            Optional<Path> tokenizer)
            throws IOException {
        writeText("config.json", pretty(HfConfigJson.of(trainer.shape(), storage, endOfText)));
        if (tokenizer.isPresent()) {
            writeText("tokenizer.json", Files.readString(tokenizer.get()));
        }
        writeText("training.json", pretty(report));
        var tensors = trainer.parameters().split(trainer.state().weights());
        TensorFile.write(
                folder.resolve(MODEL),
                new TensorFile.Content(Map.of("format", "pt"), tensors),
                storage);
        Files.deleteIfExists(checkpointFile());
    }

    /// The shape of the finished model here.
    DecoderShape shape() throws IOException {
        return HfConfigJson.shape(JSON.readTree(folder.resolve("config.json").toFile()));
    }

    /// The weights of the finished model here, in the order of [DecoderParameters#list()].
    List<float[]> weights() throws IOException {
        return new DecoderParameters(shape()).join(TensorFile.read(folder.resolve(MODEL)));
    }

    /// The loss curve, cut back to a step: what a killed run wrote after its last checkpoint is written again.
    LossCurve lossCurve(long lastStep) throws IOException {
        return LossCurve.open(folder.resolve("loss-curve.jsonl"), lastStep);
    }

    private void writeText(String name, String text) throws IOException {
        AtomicFile.write(folder.resolve(name), text);
    }

    private static String pretty(ObjectNode node) throws IOException {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node) + "\n";
    }

    private static void put(
            Map<String, TensorFile.Entry> tensors, String group, List<float[]> values) {
        for (int i = 0; i < values.size(); i++) {
            tensors.put(
                    group + "." + i,
                    new TensorFile.Entry(new long[] {values.get(i).length}, values.get(i)));
        }
    }

    private static List<float[]> take(TensorFile.Content content, String group) {
        var values = new ArrayList<float[]>();
        for (var entry = content.tensors().get(group + ".0");
                entry != null;
                entry = content.tensors().get(group + "." + values.size())) {
            values.add(entry.values());
        }
        return values;
    }
}
