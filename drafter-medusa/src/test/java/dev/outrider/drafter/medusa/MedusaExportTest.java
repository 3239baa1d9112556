package dev.outrider.drafter.medusa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.drafting.export.HeadFolders;
import dev.outrider.drafting.head.HeadFile;
import dev.outrider.nn.architecture.Family;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.architecture.ModelConfigWriter;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.DecoderConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Heads of every layout become the same heads in that of Medusa's first version. Its names, shapes and keys were read in
/// FasterDecoding/Medusa e2a5d20c048a9b0a4092e6933c34313687422518: `medusa/model/medusa_model.py` (`MedusaConfig`, `ResBlock`, the list of
/// heads) and `medusa/train/train_legacy.py` (the file's name).
class MedusaExportTest {
    private static final int HIDDEN = 6;
    private static final int VOCABULARY = 10;
    private static final List<String> KEYS =
            List.of(
                    "medusa_num_heads",
                    "medusa_num_layers",
                    "base_model_name_or_path",
                    "model_type",
                    "version",
                    "hidden_size",
                    "vocab_size");

    @TempDir private Path folder;

    @BeforeEach
    void writeTheTarget() throws IOException {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(VOCABULARY)
                        .hiddenSize(HIDDEN)
                        .intermediateSize(8)
                        .layers(1)
                        .heads(3)
                        .headSize(2)
                        .maxPositions(16)
                        .build();
        Files.createDirectories(target());
        Files.createDirectories(folder.resolve("heads"));
        ModelConfigWriter.write(
                new ModelConfig(Family.of(config), config, List.of(), List.of(), Optional.empty()),
                target());
    }

    @Test
    void headsOfTheFirstVersionStayAsTheyAre() throws IOException {
        medusa(true).write(heads());
        export();

        assertThat(published(written(), 3, 2)).isEmpty();
        try (var before = open(heads());
                var after = open(out())) {
            requireSame(before, after);
            assertThat(bias(after, 2, 1)).isEqualTo(bias(before, 2, 1));
        }
        var config = config();
        assertThat(config.path("medusa_num_heads").intValue()).isEqualTo(3);
        assertThat(config.path("medusa_num_layers").intValue()).isEqualTo(2);
        assertThat(config.path("base_model_name_or_path").asText()).isEqualTo("target");
        assertThat(config.path("version").asText()).isEqualTo("1");
        assertThat(KEYS)
                .containsExactlyInAnyOrderElementsOf(
                        config.properties().stream().map(Map.Entry::getKey).toList());
    }

    /// Blocks without a bias are exported with a bias of zeros, and a projection that all heads share is exported for each head.
    @Test
    void headsOfVllmGetTheNamesAndWhatTheyLack() throws IOException {
        var tensors = new HeadFile(5).random("lm_head.weight", VOCABULARY, HIDDEN);
        for (int head = 0; head < 3; head++) {
            for (int layer = 0; layer < 2; layer++) {
                tensors.random("blocks.%d.layers.%d.weight".formatted(head, layer), HIDDEN, HIDDEN);
            }
        }
        tensors.write(heads());
        export();

        assertThat(published(written(), 3, 2)).isEmpty();
        try (var before = open(heads());
                var after = open(out())) {
            requireSame(before, after);
            assertThat(bias(after, 1, 0)).isEqualTo(new float[HIDDEN]);
        }
    }

    @Test
    void whatTheVersionDoesNotHaveIsRefused() {
        medusa(false).write(heads());
        assertThatThrownBy(this::export)
                .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                .hasMessageContaining(
                        "has heads without a projection of their own, which Medusa's first version does not have");
        assertThat(out()).doesNotExist();
    }

    @Test
    void headsForAnotherTargetAreRefused() {
        medusa(true).random("0.2.weight", VOCABULARY + 1, HIDDEN).write(heads());
        assertThatThrownBy(this::export).hasMessageStartingWith("DRAFTER_VOCABULARY_MISMATCH: ");
    }

    /// The check of names and shapes detects a wrong file.
    @Test
    void otherNamesAreNotThePublishedOnes() {
        medusa(true).remove("1.0.linear.bias").random("1.2.bias", VOCABULARY).write(heads());
        try (var tensors = CheckpointTensors.ofFile(heads().resolve("model.safetensors"))) {
            assertThat(published(tensors, 3, 2)).containsExactly("1.0.linear.bias", "1.2.bias");
            assertThat(published(tensors, 3, 1)).isNotEmpty();
        }
    }

    /// Names of tensors that are not as the first version has them: a residual block is a linear layer with bias, and after a
    /// head's blocks comes a linear layer without.
    private static List<String> published(CheckpointTensors tensors, int heads, int layers) {
        var shapes = new TreeMap<String, List<Long>>();
        for (int head = 0; head < heads; head++) {
            for (int layer = 0; layer < layers; layer++) {
                shapes.put(
                        "%d.%d.linear.weight".formatted(head, layer),
                        List.of((long) HIDDEN, (long) HIDDEN));
                shapes.put("%d.%d.linear.bias".formatted(head, layer), List.of((long) HIDDEN));
            }
            shapes.put(
                    "%d.%d.weight".formatted(head, layers),
                    List.of((long) VOCABULARY, (long) HIDDEN));
        }
        var names = new TreeSet<>(tensors.names());
        names.addAll(shapes.keySet());
        names.removeIf(name ->
                tensors.find(name)
                        .filter(found ->
                                found.type() == TensorType.F32
                                        && found.shape().equals(shapes.get(name)))
                        .isPresent());
        return List.copyOf(names);
    }

    private static void requireSame(MedusaCheckpoint before, MedusaCheckpoint after) {
        assertThat(after.sizes().heads()).isEqualTo(before.sizes().heads());
        assertThat(after.sizes().layers()).isEqualTo(before.sizes().layers());
        for (int head = 0; head < before.sizes().heads(); head++) {
            assertThat(projection(after, head)).isEqualTo(projection(before, head));
            for (int layer = 0; layer < before.sizes().layers(); layer++) {
                assertThat(block(after, head, layer)).isEqualTo(block(before, head, layer));
            }
        }
    }

    private static float[] projection(MedusaCheckpoint heads, int head) {
        var sizes = heads.sizes();
        var name = sizes.projectionName(heads.names(), head);
        return heads.matrices().matrix(name, VOCABULARY, HIDDEN).numbers();
    }

    private static float[] block(MedusaCheckpoint heads, int head, int layer) {
        return heads.matrices().matrix(heads.names().block(head, layer), HIDDEN, HIDDEN).numbers();
    }

    private static float[] bias(MedusaCheckpoint heads, int head, int layer) {
        return heads.matrices()
                .matrix(heads.names().block(head, layer), HIDDEN, HIDDEN)
                .bias()
                .orElseThrow();
    }

    private static HeadFile medusa(boolean projections) {
        var tensors = new HeadFile(3);
        for (int head = 0; head < 3; head++) {
            for (int layer = 0; layer < 2; layer++) {
                tensors.random("%d.%d.linear.weight".formatted(head, layer), HIDDEN, HIDDEN)
                        .random("%d.%d.linear.bias".formatted(head, layer), HIDDEN);
            }
            if (projections) {
                tensors.random("%d.2.weight".formatted(head), VOCABULARY, HIDDEN);
            }
        }
        return tensors;
    }

    private void export() {
        new MedusaExport.Export()
                .write(
                        new MedusaExport(
                                new HeadFolders(heads(), target(), out()), Optional.empty()));
    }

    private CheckpointTensors written() {
        return CheckpointTensors.ofFile(out().resolve("medusa_lm_head.safetensors"));
    }

    private JsonNode config() throws IOException {
        return new ObjectMapper().readTree(out().resolve("config.json").toFile());
    }

    private static MedusaCheckpoint open(Path path) {
        return MedusaCheckpoint.open(path, HIDDEN, VOCABULARY);
    }

    private Path heads() {
        return folder.resolve("heads");
    }

    private Path target() {
        return folder.resolve("target");
    }

    private Path out() {
        return folder.resolve("out");
    }
}
