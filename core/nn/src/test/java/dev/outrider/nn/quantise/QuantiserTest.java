package dev.outrider.nn.quantise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.SafetensorsFile;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightNaming;
import dev.outrider.nn.vector.VectorNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantiserTest {
    private static final String JSON =
            """
            {"model_type":"llama","hidden_size":32,"intermediate_size":%d,"num_hidden_layers":2,"num_attention_heads":2,
             "num_key_value_heads":1,"vocab_size":7,"max_position_embeddings":32,"attention_bias":true,"rms_norm_eps":1e-05}
            """;
    private static final String QUERY = "model.layers.0.self_attn.q_proj.weight";

    @TempDir private Path folder;
    private Path source = Path.of("");
    private Path out = Path.of("");

    @BeforeEach
    void write() throws IOException {
        source = Files.createDirectories(folder.resolve("source"));
        out = folder.resolve("out");
        writeSource(40, false);
    }

    /// To the last bit, of any weights: blocks of zeros, and scales that 16-bit floats hardly have or have not.
    @ParameterizedTest
    @EnumSource
    void computesWhatTheOriginalDoesInThatPrecision(Levels levels) {
        quantise(levels);

        try (var before = open(source);
                var after = open(out)) {
            var config = ModelConfig.read(new Checkpoint(out)).decoder();
            var weights = new CheckpointWeights(config, after);
            assertThat(weights.precision()).isEqualTo(Precision.of(levels));
            assertThat(logits(new VectorNetwork(config, weights, weights.precision())))
                    .isEqualTo(
                            logits(
                                    new VectorNetwork(
                                            config,
                                            new CheckpointWeights(config, before),
                                            Precision.of(levels))));
        }
    }

    /// Experts one by one, and what is left of matrices that share a tensor.
    @ParameterizedTest
    @ValueSource(strings = {"mixtral", "qwen2_moe", "gpt_oss", "phi3"})
    void computesTheSameOfAnyFamily(String family) throws URISyntaxException {
        source = Path.of(getClass().getResource("/decoders/" + family).toURI());
        computesWhatTheOriginalDoesInThatPrecision(Levels.EIGHT_BITS);
    }

    @Test
    void expertsAreQuantisedOneByOne() throws URISyntaxException {
        source = Path.of(getClass().getResource("/decoders/mixtral").toURI());
        assertThat(quantise(Levels.EIGHT_BITS).orElseThrow().matrices()).isEqualTo(4 * (4 + 3 * 5));
        try (var after = open(out)) {
            assertThat(after.names())
                    .contains(
                            "model.layers.3.block_sparse_moe.experts.4.w2.weight_packed",
                            "model.layers.3.block_sparse_moe.gate.weight");
        }
    }

    @Test
    void writesTheFilesOfAModelAndNothingElse() throws IOException {
        Files.writeString(source.resolve("tokenizer.json"), "{}");
        Files.writeString(source.resolve("training.json"), "{}");
        var template = Files.createDirectories(source.resolve("additional_chat_templates"));
        Files.writeString(template.resolve("tool_use.jinja"), "x");
        var written = quantise(Levels.FOUR_BITS).orElseThrow();

        assertThat(files(out))
                .containsExactlyInAnyOrder(
                        "config.json",
                        "model.safetensors",
                        "tokenizer.json",
                        "additional_chat_templates/tool_use.jinja");
        assertThat(written.matrices()).isEqualTo(14);
        assertThat(written.after()).isLessThan(written.before() / 3);
        try (var before = open(source);
                var file = SafetensorsFile.open(out.resolve("model.safetensors"))) {
            assertThat(file.metadata())
                    .isEqualTo(
                            Map.of(
                                    "format", "pt",
                                    "quantised_from", before.digest(),
                                    "precision", "int4"));
            assertThat(file.names())
                    .contains("lm_head.weight", "model.embed_tokens.weight", QUERY + "_packed")
                    .doesNotContain(QUERY);
        }
    }

    @Test
    void saysInTheConfigurationWhatItDid() throws IOException {
        quantise(Levels.FOUR_BITS);

        var json = new ObjectMapper();
        var config = json.readTree(out.resolve("config.json").toFile());
        assertThat(config.get("quantization_config"))
                .isEqualTo(
                        json.readTree(
                                """
                                {"quant_method": "compressed-tensors", "format": "pack-quantized", "quantization_status": "compressed",
                                 "ignore": ["lm_head"],
                                 "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int",
                                   "symmetric": true, "strategy": "group", "group_size": 32, "dynamic": false}}}}
                                """));
        assertThat(config.get("hidden_size").intValue()).isEqualTo(32);
    }

    @Test
    void writesTheSameBytesAgain() throws IOException {
        quantise(Levels.EIGHT_BITS);
        var first = Files.readAllBytes(out.resolve("model.safetensors"));
        out = folder.resolve("again");
        quantise(Levels.EIGHT_BITS);

        assertThat(out.resolve("model.safetensors")).hasBinaryContent(first);
    }

    @Test
    void refusesAFolderThatHasFiles() throws IOException {
        Files.createDirectories(out);
        Files.createFile(out.resolve("x"));
        assertRefused(
                "CONFIG_INVALID: '%s' is there already and not empty; expected a new or an empty folder",
                out);
    }

    @Test
    void refusesWhatIsQuantisedAlready() {
        quantise(Levels.EIGHT_BITS);
        source = out;
        out = folder.resolve("again");
        assertRefused("CHECKPOINT_UNSUPPORTED: '%s' is quantised already", source);
    }

    @Test
    void refusesColumnsThatFillNoWholeWords() {
        writeSource(36, false);
        assertRefused(
                "CHECKPOINT_UNSUPPORTED: tensor 'model.layers.0.mlp.down_proj.weight' has 36 columns");
        assertThat(out).doesNotExist();
    }

    @Test
    void refusesWeightsThatAreNoNumbers() {
        writeSource(40, true);
        assertRefused("CHECKPOINT_UNSUPPORTED: number 3 of weight row 0 of '");
        assertThat(out).doesNotExist();
    }

    @Test
    void writesNothingWhenItIsStopped() {
        var stopped =
                new Quantiser(Levels.EIGHT_BITS, (_, _, _) -> {}, () -> true)
                        .write(new Checkpoint(source), out);

        assertThat(stopped).isEmpty();
        assertThat(out).doesNotExist();
    }

    @Test
    void configurationAndWeightsMustAgree() {
        quantise(Levels.EIGHT_BITS);
        try (var tensors = open(out)) {
            var config = ModelConfig.read(new Checkpoint(out)).decoder();
            var weights = new CheckpointWeights(config, tensors);
            assertThat(weights.requireLevels(Optional.of(Levels.EIGHT_BITS))).isSameAs(weights);
            assertThatThrownBy(() -> weights.requireLevels(Optional.of(Levels.FOUR_BITS)))
                    .hasMessageStartingWith(
                            "CHECKPOINT_UNSUPPORTED: '%s' holds weights quantised to 8 bits; expected them quantised to 4 bits, as its config.json says",
                            tensors.source());
            assertThatThrownBy(() -> weights.requireLevels(Optional.empty()))
                    .hasMessageContaining("expected them that are not quantised");
        }
    }

    @Test
    void refusesSeveralNumbersOfBits() {
        quantise(Levels.EIGHT_BITS);
        var eight = out;
        out = folder.resolve("four");
        quantise(Levels.FOUR_BITS);
        try (var one = open(eight);
                var other = open(out)) {
            var mixed =
                    other.names().stream()
                            .map(name -> (name.startsWith(QUERY) ? one : other).tensor(name))
                            .toList();
            assertUnreadable(mixed, "in 4 bits and others in 8; expected one number of bits");
        }
    }

    @Test
    void refusesAWeightThatIsThereTwice() {
        quantise(Levels.EIGHT_BITS);
        try (var plain = open(source);
                var tensors = open(out)) {
            var both = new ArrayList<>(tensors.names().stream().map(tensors::tensor).toList());
            both.add(plain.tensor(QUERY));
            assertUnreadable(both, "holds tensor '" + QUERY + "_packed', which");
        }
    }

    private void assertUnreadable(List<StoredTensor> stored, String message) {
        var path = folder.resolve("changed.safetensors");
        SafetensorsWriter.write(path, stored, Map.of());
        try (var tensors = CheckpointTensors.ofFile(path)) {
            var config = ModelConfig.read(new Checkpoint(source)).decoder();
            assertThatThrownBy(() -> new CheckpointWeights(config, tensors))
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining(message);
        }
    }

    private void assertRefused(String message, Object... values) {
        assertThatThrownBy(() -> quantise(Levels.FOUR_BITS))
                .hasMessageStartingWith(message, values);
    }

    private Optional<Quantiser.Written> quantise(Levels levels) {
        return new Quantiser(levels, (_, _, _) -> {}, () -> false)
                .write(new Checkpoint(source), out);
    }

    private static CheckpointTensors open(Path checkpoint) {
        return new Checkpoint(checkpoint).openTensors();
    }

    private static List<String> files(Path checkpoint) throws IOException {
        try (Stream<Path> files = Files.walk(checkpoint)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> checkpoint.relativize(file).toString())
                    .toList();
        }
    }

    private static int[] logits(DecoderNetwork network) {
        try (network;
                var cache = network.newCache(8);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, 1, 6, 0, 3)),
                                PassOutputs.allLogits())) {
            return Stream.of(0, 1, 2, 3)
                    .flatMapToInt(
                            row -> Arrays.stream(result.logits(row).toArray(ValueLayout.JAVA_INT)))
                    .toArray();
        }
    }

    /// @param broken whether a number of the first query is none
    private void writeSource(int inner, boolean broken) {
        try {
            Files.writeString(source.resolve("config.json"), JSON.formatted(inner));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        var config = ModelConfig.read(new Checkpoint(source)).decoder();
        var random = new Random(5);
        var stored = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            if (weight.present(config)) {
                for (int layer = 0; layer < (weight.perLayer() ? 2 : 1); layer++) {
                    stored.add(random(config, weight, layer, random, broken));
                }
            }
        }
        SafetensorsWriter.write(source.resolve("model.safetensors"), stored, Map.of());
    }

    private static StoredTensor random(
            DecoderConfig config, Weight weight, int layer, Random random, boolean broken) {
        var numbers = new float[(int) weight.elements(config, layer)];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = (float) random.nextGaussian() * size(index / 8);
        }
        var name = name(weight, layer);
        if (broken && name.equals(QUERY)) {
            numbers[3] = Float.NaN;
        }
        return StoredTensor.ofFloats(name, numbers, weight.shape(config, layer));
    }

    /// Of a few in a row: most as weights are, some of the sizes at which scales have no more bits, some 0.
    private static float size(int index) {
        return switch (index % 7) {
            case 3 -> Math.scalb(1f, -14 - index % 13);
            case 5 -> 0;
            default -> index / 4 % 5 == 0 ? Math.scalb(1f, -17 - index % 9) : 1;
        };
    }

    private static String name(Weight weight, int layer) {
        return switch (weight) {
            case EMBEDDING -> "model.embed_tokens.weight";
            case FINAL_NORM -> "model.norm.weight";
            case HEAD -> "lm_head.weight";
            default -> "model.layers.%d.%s".formatted(layer, WeightNaming.inLayer(weight));
        };
    }
}
