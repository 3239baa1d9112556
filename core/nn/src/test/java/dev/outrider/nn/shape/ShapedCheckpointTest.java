package dev.outrider.nn.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A checkpoint in a larger shape computes the same logits and hidden states, or is refused.
class ShapedCheckpointTest {
    private static final int[] TEXT = {3, 17, 4, 4, 30, 9, 22, 1, 12, 39, 8, 25};
    private static final int VOCABULARY = 40;
    private static final int LAYERS = 2;
    private static final int HIDDEN = 24;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @TempDir private Path folder;

    @BeforeEach
    void keepShapesHere() {
        System.setProperty("outrider.shapes", folder.resolve("shapes").toString());
    }

    @AfterEach
    void keepShapesWhereUsersDo() {
        System.clearProperty("outrider.shapes");
    }

    /// A small decoder with random weights, and files that a test may change.
    private static final class Small {
        final ObjectNode config = MAPPER.createObjectNode();
        final Map<String, StoredTensor> tensors = new TreeMap<>();
        private final Random random = new Random(7);

        Small(String family, String prefix, boolean tied) {
            config.put("model_type", family)
                    .put("vocab_size", VOCABULARY)
                    .put("hidden_size", HIDDEN)
                    .put("intermediate_size", 20)
                    .put("num_hidden_layers", LAYERS)
                    .put("num_attention_heads", 4)
                    .put("num_key_value_heads", 2)
                    .put("max_position_embeddings", 64)
                    .put("rms_norm_eps", 0.01)
                    .put("tie_word_embeddings", tied);
            layers(prefix, 6);
            put(prefix + "embed_tokens.weight", VOCABULARY, HIDDEN);
            put(prefix + "norm.weight", HIDDEN);
            if (!tied) {
                put("lm_head.weight", VOCABULARY, HIDDEN);
            }
        }

        void layers(String prefix, int headSize) {
            for (int layer = 0; layer < LAYERS; layer++) {
                var start = "%slayers.%d.".formatted(prefix, layer);
                put(start + "input_layernorm.weight", HIDDEN);
                put(start + "post_attention_layernorm.weight", HIDDEN);
                put(start + "self_attn.q_proj.weight", 4L * headSize, HIDDEN);
                put(start + "self_attn.k_proj.weight", 2L * headSize, HIDDEN);
                put(start + "self_attn.v_proj.weight", 2L * headSize, HIDDEN);
                put(start + "self_attn.o_proj.weight", HIDDEN, 4L * headSize);
                put(start + "mlp.gate_proj.weight", 20, HIDDEN);
                put(start + "mlp.up_proj.weight", 20, HIDDEN);
                put(start + "mlp.down_proj.weight", HIDDEN, 20);
            }
        }

        void put(String name, long... shape) {
            long elements = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
            var numbers = new float[(int) elements];
            boolean norm = name.endsWith("norm.weight");
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (float) (random.nextGaussian() * 0.4 + (norm ? 1 : 0));
            }
            tensors.put(name, StoredTensor.ofFloats(name, numbers, shape));
        }

        float[] numbers(String name) {
            return Objects.requireNonNull(tensors.get(name)).toFloats();
        }

        /// Keeps a tensor in a type, and its numbers as that rounds them.
        void as(TensorType type, String name) {
            var numbers = numbers(name);
            var data = Arena.ofAuto().allocate((long) type.bits() / 8 * numbers.length, 4);
            for (int index = 0; index < numbers.length; index++) {
                switch (type) {
                    case F16 -> data.setAtIndex(HALF, index, Float.floatToFloat16(numbers[index]));
                    case BF16 ->
                            data.setAtIndex(HALF, index, HalfFloats.toBfloat16(numbers[index]));
                    default -> data.setAtIndex(FLOAT, index, numbers[index]);
                }
            }
            var shape = Objects.requireNonNull(tensors.get(name)).shape();
            tensors.put(name, new StoredTensor(name, type, shape, data));
        }

        Path write(Path folder) {
            try {
                Files.createDirectories(folder);
                Files.writeString(folder.resolve("config.json"), config.toString());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            SafetensorsWriter.write(
                    folder.resolve("model.safetensors"), tensors.values(), Map.of());
            return folder;
        }
    }

    /// More of everything: heads of another size, groups of another size, layers, tokens.
    private static DecoderConfig larger(boolean tied) {
        return DecoderConfig.builder()
                .vocabularySize(55)
                .hiddenSize(40)
                .intermediateSize(28)
                .layers(LAYERS + 2)
                .heads(8)
                .keyValueHeads(8)
                .headSize(10)
                .maxPositions(64)
                .tiedHead(tied)
                .firstWindowLayer(LAYERS + 2)
                .build();
    }

    private record Computed(float[][] logits, float[][] states) {
        static Computed of(Path folder) {
            var directory = new Checkpoint(folder);
            var model = ModelConfig.read(directory);
            var wanted =
                    List.<HiddenState>of(
                            new HiddenState.AfterLayer(1),
                            new HiddenState.AfterLayer(LAYERS),
                            new HiddenState.AfterFinalNorm());
            try (var tensors = directory.openTensors();
                    var network =
                            new VectorNetwork(
                                    model.decoder(),
                                    CheckpointWeights.of(
                                            model.decoder(), tensors, model.quantisation()),
                                    Precision.F32);
                    var cache = network.newCache(TEXT.length);
                    var result =
                            network.forward(
                                    List.of(RowBlock.continuing(cache, TEXT)),
                                    new PassOutputs(
                                            PassOutputs.LogitRows.ALL, Set.copyOf(wanted)))) {
                var logits = new float[TEXT.length][];
                var states = new float[TEXT.length * wanted.size()][];
                for (int row = 0; row < TEXT.length; row++) {
                    logits[row] = result.logits(row).toArray(ValueLayout.JAVA_FLOAT);
                    for (int state = 0; state < wanted.size(); state++) {
                        states[row * wanted.size() + state] =
                                result.hidden(wanted.get(state), row)
                                        .toArray(ValueLayout.JAVA_FLOAT);
                    }
                }
                return new Computed(logits, states);
            }
        }

        /// Greatest difference of logits and states from those of the small model, in what that has.
        double differenceFrom(Computed small) {
            return Math.max(difference(logits, small.logits), difference(states, small.states));
        }

        private static double difference(float[][] mine, float[][] small) {
            double most = 0;
            for (int row = 0; row < small.length; row++) {
                for (int at = 0; at < small[row].length; at++) {
                    most = Math.max(most, Math.abs(mine[row][at] - small[row][at]));
                }
            }
            return most;
        }

        /// The same where a row's logits are compared by their distances: with the embedding as head, the constant in the residual
        /// stream adds one number to all of them.
        Computed apart() {
            var apart = new float[logits.length][];
            for (int row = 0; row < apart.length; row++) {
                apart[row] = logits[row].clone();
                for (int token = 0; token < apart[row].length; token++) {
                    apart[row][token] -= logits[row][0];
                }
            }
            return new Computed(apart, states);
        }

        /// Greatest logit of a token that the small model does not have, less the smallest of its own.
        double furtherTokens() {
            double most = Double.NEGATIVE_INFINITY;
            for (var row : logits) {
                double least = Double.POSITIVE_INFINITY;
                for (int token = 0; token < VOCABULARY; token++) {
                    least = Math.min(least, row[token]);
                }
                for (int token = VOCABULARY; token < row.length; token++) {
                    most = Math.max(most, row[token] - least);
                }
            }
            return most;
        }
    }

    private Path shaped(Path source, boolean tied) {
        var out = folder.resolve("shaped");
        ShapedCheckpoint.write(new Checkpoint(source), "larger", larger(tied), out);
        return out;
    }

    private void assertSameFunction(Small small, boolean tied) {
        var source = small.write(folder.resolve("small"));
        var shaped = Computed.of(shaped(source, tied));
        var expected = Computed.of(source);

        assertThat(
                        tied
                                ? shaped.apart().differenceFrom(expected.apart())
                                : shaped.differenceFrom(expected))
                .isLessThan(2e-4);
        assertThat(shaped.furtherTokens()).isLessThan(-100);
    }

    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, false"})
    void aDecoderComputesTheSame(boolean tied, boolean tiedShape) {
        assertSameFunction(new Small("llama", "model.", tied), tiedShape);
    }

    @Test
    void namesWithoutAPrefixAreThoseOfADecoderToo() {
        assertSameFunction(new Small("llama", "", true), false);
    }

    @Test
    void whatTheFileLeavesOutIsWritten() {
        var small = new Small("llama", "model.", true);
        small.config.remove(List.of("rms_norm_eps", "num_key_value_heads"));
        for (int layer = 0; layer < LAYERS; layer++) {
            small.put("model.layers.%d.self_attn.k_proj.weight".formatted(layer), 24, HIDDEN);
            small.put("model.layers.%d.self_attn.v_proj.weight".formatted(layer), 24, HIDDEN);
        }

        assertSameFunction(small, false);
    }

    @Test
    void theBaseOfRotationsMayBeInAnObject() {
        var small = new Small("llama", "model.", true);
        small.config
                .putObject("rope_parameters")
                .put("rope_type", "default")
                .put("rope_theta", 500_000);

        assertSameFunction(small, true);
    }

    @Test
    void biasesAndNormsOfQueriesAndKeysAreKept() {
        var biased = new Small("qwen2", "model.", true);
        for (int layer = 0; layer < LAYERS; layer++) {
            var start = "model.layers.%d.self_attn.".formatted(layer);
            biased.put(start + "q_proj.bias", 24);
            biased.put(start + "k_proj.bias", 12);
            biased.put(start + "v_proj.bias", 12);
        }
        biased.config.putArray("layer_types").add("full_attention").add("full_attention");

        assertSameFunction(biased, false);
    }

    @Test
    void noLayerGetsAWindow() {
        var listed = new Small("mistral", "model.", false);
        listed.config.put("sliding_window", 4);
        listed.config.putArray("layer_types").add("full_attention").add("full_attention");

        assertSameFunction(listed, false);
    }

    @Test
    void furtherLayersGetNoWindow() {
        var counted = new Small("qwen3", "model.", true);
        counted.config
                .put("head_dim", 6)
                .put("use_sliding_window", true)
                .put("sliding_window", 4)
                .put("max_window_layers", LAYERS);
        for (int layer = 0; layer < LAYERS; layer++) {
            counted.put("model.layers.%d.self_attn.q_norm.weight".formatted(layer), 6);
            counted.put("model.layers.%d.self_attn.k_norm.weight".formatted(layer), 6);
        }
        var shaped = shaped(counted.write(folder.resolve("small")), false);

        assertThat(ModelConfig.read(new Checkpoint(shaped)).decoder().slidingWindow()).isEmpty();
    }

    /// The norms of a head take the epsilon of the others, so it is small here.
    @Test
    void normsOfQueriesAndKeysAreKept() {
        var normed = new Small("qwen3", "model.", false);
        normed.config.put("head_dim", 8).put("rms_norm_eps", 1e-6);
        normed.layers("model.", 8);
        for (int layer = 0; layer < LAYERS; layer++) {
            normed.put("model.layers.%d.self_attn.q_norm.weight".formatted(layer), 8);
            normed.put("model.layers.%d.self_attn.k_norm.weight".formatted(layer), 8);
        }

        assertSameFunction(normed, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rope_theta", "rms_norm_eps", "model.norm.weight", "q_proj"})
    void aWrongFactorIsNoticed(String what) throws IOException {
        var source = new Small("llama", "model.", false).write(folder.resolve("small"));
        var shaped = shaped(source, false);
        var file = shaped.resolve("config.json");
        var config = (ObjectNode) MAPPER.readTree(file.toFile());
        if (config.has(what)) {
            config.put(what, config.required(what).doubleValue() * 1.05);
            Files.writeString(file, config.toString());
        } else {
            scale(shaped, what);
        }

        assertThat(Computed.of(shaped).differenceFrom(Computed.of(source))).isGreaterThan(1e-3);
    }

    private static void scale(Path shaped, String what) {
        var changed = new TreeMap<String, StoredTensor>();
        try (var tensors = new Checkpoint(shaped).openTensors()) {
            for (var name : tensors.names()) {
                var tensor = tensors.tensor(name);
                var numbers = tensor.toFloats();
                for (int index = 0; name.contains(what) && index < numbers.length; index++) {
                    numbers[index] *= 1.02f;
                }
                var shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
                changed.put(name, StoredTensor.ofFloats(name, numbers, shape));
            }
        }
        SafetensorsWriter.write(shaped.resolve("model.safetensors"), changed.values(), Map.of());
    }

    @ParameterizedTest
    @CsvSource({"F32, true", "F16, true", "BF16, true", "F32, false", "F16, false", "BF16, false"})
    void matricesKeepTheirTypeAndNumbers(TensorType type, boolean tied) {
        var small = new Small("llama", "model.", true);
        var embedding = "model.embed_tokens.weight";
        var queries = "model.layers.1.self_attn.q_proj.weight";
        small.as(type, embedding);
        small.as(type, queries);
        small.as(type, "model.norm.weight");
        var shaped = shaped(small.write(folder.resolve("small")), tied);
        var own = small.numbers(embedding);

        try (var tensors = new Checkpoint(shaped).openTensors()) {
            var written = tensors.tensor(embedding);
            assertThat(written.type()).isEqualTo(type);
            assertThat(written.toFloats()).isEqualTo(wide(own, MARKER, tied ? EXCLUDED : 0));
            if (!tied) {
                var head = tensors.tensor("lm_head.weight");
                assertThat(head.type()).isEqualTo(type);
                assertThat(head.toFloats()).isEqualTo(wide(own, 0, EXCLUDED));
            }
            assertThat(tensors.tensor(queries).type()).isEqualTo(type);
            assertThat(tensors.tensor(queries).toFloats())
                    .isEqualTo(wideQueries(small.numbers(queries), type));
            assertThat(tensors.tensor("model.norm.weight").type()).isEqualTo(TensorType.F32);
        }
    }

    /// The root of half of what the epsilon adds, 24 * 0.01 * 0.5, cut to bfloat16.
    private static final float MARKER = 0.345703125f;

    private static final float EXCLUDED = -32768;

    /// The corner, the column of the constant, and the rows of tokens that the small model does not have.
    private static float[] wide(float[] own, float marker, float excluded) {
        var wide = new float[55 * 40];
        for (int row = 0; row < 55; row++) {
            boolean known = row < VOCABULARY;
            if (known) {
                System.arraycopy(own, row * HIDDEN, wide, row * 40, HIDDEN);
            }
            wide[row * 40 + HIDDEN] = known ? marker : excluded;
        }
        return wide;
    }

    /// Heads of 6 become the first of 8 heads of 10, each half of one at the beginning of a half.
    private static float[] wideQueries(float[] own, TensorType type) {
        var wide = new float[80 * 40];
        for (int row = 0; row < 24; row++) {
            int number = row % 6;
            int wideRow = row / 6 * 10 + (number < 3 ? number : number + 2);
            for (int column = 0; column < HIDDEN; column++) {
                float scaled = (float) (own[row * HIDDEN + column] * (1 / Math.sqrt(6 / 10.0)));
                wide[wideRow * 40 + column] = rounded(scaled, type);
            }
        }
        return wide;
    }

    private static float rounded(float number, TensorType type) {
        return switch (type) {
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(number));
            case BF16 -> HalfFloats.fromBfloat16(HalfFloats.toBfloat16(number));
            default -> number;
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatNothingReadsIsLeftOut(boolean tied) {
        var small = new Small("llama", "model.", true);
        var read = new TreeSet<>(small.tensors.keySet());
        small.put("lm_head.weight", VOCABULARY, HIDDEN);
        small.put("model.layers.0.self_attn.rotary_emb.inv_freq", 3);

        assertSameFunction(small, tied);
        try (var tensors = new Checkpoint(folder.resolve("shaped")).openTensors()) {
            var expected = new TreeSet<>(read);
            for (var name : read) {
                for (int layer = LAYERS; layer < LAYERS + 2; layer++) {
                    expected.add(name.replace("layers.0.", "layers.%d.".formatted(layer)));
                }
            }
            if (!tied) {
                expected.add("lm_head.weight");
            }
            assertThat(tensors.names()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gemma, norms whose weights are stored as the difference from 1",
        "granite, attention scores with a factor",
        "olmo2, other norms than RMS norms before the blocks",
        "mixtral, experts",
        "smollm3, layers that are parallel"
    })
    void otherFormsAreRefusedByWhatTheyHave(String family, String what) throws URISyntaxException {
        var source = Path.of(getClass().getResource("/decoders/" + family).toURI());

        assertRefused(source, ErrorCode.CHECKPOINT_UNSUPPORTED, what);
    }

    @Test
    void scaledRotationsAreRefused() {
        assertRefused(
                small ->
                        small.config
                                .putObject("rope_scaling")
                                .put("type", "linear")
                                .put("factor", 2),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "scaled rotary positions");
    }

    @Test
    void windowsAreRefused() {
        assertRefused(
                small -> small.config.put("model_type", "mistral").put("sliding_window", 8),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "layers with a window");
    }

    @Test
    void biasesThatAreNotHandledAreRefused() {
        assertRefused(
                small -> small.config.put("mlp_bias", true),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "biases of the output projection");
    }

    @Test
    void missingSizesAreRefused() {
        assertRefused(
                small -> small.config.remove("num_hidden_layers"),
                ErrorCode.MODEL_CONFIG_INVALID,
                "num_hidden_layers");
        assertRefused(
                small -> small.config.put("num_key_value_heads", 0),
                ErrorCode.MODEL_CONFIG_INVALID,
                "num_key_value_heads");
        assertRefused(
                small -> small.config.put("num_key_value_heads", 3),
                ErrorCode.MODEL_CONFIG_INVALID,
                "4 heads cannot share 3");
    }

    @Test
    void aTensorOfAnotherShapeThanTheConfigurationSaysIsRefused() {
        assertRefused(
                small -> small.put("model.layers.1.mlp.down_proj.weight", HIDDEN, 22),
                ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                "down_proj");
        assertRefused(
                small -> small.put("model.norm.weight", 2, HIDDEN),
                ErrorCode.CHECKPOINT_SHAPE_MISMATCH,
                "model.norm.weight");
    }

    @Test
    void moreLayersThanTheConfigurationSaysAreRefused() {
        assertRefused(
                small -> small.config.put("num_hidden_layers", 1),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "model.layers.1.");
    }

    @Test
    void aHeadThatCountsTheTargetsLayersIsRefused() {
        assertRefused(
                small -> {
                    small.tensors.clear();
                    small.put("fc.weight", HIDDEN, 3 * HIDDEN);
                    small.put("midlayer.hidden_norm.weight", HIDDEN);
                },
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "does not name the target's layers");
    }

    @Test
    void theTargetsLayersOfAHeadStayThoseOfTheSmallTarget() throws IOException {
        var head = new Small("qwen3", "", false);
        head.tensors.clear();
        head.put("fc.weight", HIDDEN, 2 * HIDDEN);
        head.config.put("num_target_layers", 6).put("target_hidden_size", HIDDEN);
        head.config.putObject("dflash_config").put("mask_token_id", 3);
        var written = shaped(head.write(folder.resolve("head")), false).resolve("config.json");
        var config = MAPPER.readTree(written.toFile());

        assertThat(config.path("num_target_layers").intValue()).isEqualTo(6);
        assertThat(config.path("hidden_size").intValue()).isEqualTo(40);
        assertThat(config.path("target_hidden_size").intValue()).isEqualTo(40);

        head.config.remove("num_target_layers");
        assertRefused(
                head.write(folder.resolve("head")),
                ErrorCode.CHECKPOINT_UNSUPPORTED,
                "does not name the target's layers");
    }

    @Test
    void ggufFilesAndShapesWithExpertsAreRefused() throws URISyntaxException, IOException {
        var models = Path.of(getClass().getResource("/gguf/models").toURI());
        try (var files = Files.walk(models)) {
            var file = files.filter(each -> each.toString().endsWith(".gguf")).findFirst();
            assertRefused(file.orElseThrow(), ErrorCode.CHECKPOINT_UNSUPPORTED, "the GGUF format");
        }
        assertThatThrownBy(() -> ShapedCheckpoint.named("experts-1b"))
                .hasMessageContaining("there is no shape 'experts-1b'");
    }

    private void assertRefused(Consumer<Small> change, ErrorCode code, String what) {
        var small = new Small("llama", "model.", true);
        change.accept(small);
        assertRefused(small.write(folder.resolve("small")), code, what);
    }

    private void assertRefused(Path source, ErrorCode code, String what) {
        var out = folder.resolve("refused");

        assertThatThrownBy(() ->
                        ShapedCheckpoint.write(new Checkpoint(source), "larger", larger(true), out))
                .isInstanceOfSatisfying(
                        OutriderException.class, e -> assertThat(e.code()).isEqualTo(code))
                .hasMessageContaining(what);
        assertThat(out).doesNotExist();
    }

    @Test
    void aShapeIsWrittenOnceAndAgainWhenAnyFileChanges() throws IOException {
        var source = new Small("llama", "model.", true).write(folder.resolve("small"));
        var named = folder.resolve("small@stories260k");
        var first = ModelPaths.resolved(named);
        assertThat(ModelPaths.resolved(named)).isEqualTo(first);

        Files.writeString(source.resolve("chat_template.jinja"), "{{ messages }}");
        var second = ModelPaths.resolved(named);
        assertThat(second).isNotEqualTo(first);
        assertThat(second.resolve("chat_template.jinja")).hasContent("{{ messages }}");

        var config = (ObjectNode) MAPPER.readTree(source.resolve("config.json").toFile());
        Files.writeString(
                source.resolve("config.json"), config.put("rms_norm_eps", 0.02).toString());
        var third = new Checkpoint(ModelPaths.resolved(named));
        assertThat(third.path()).isNotEqualTo(second);
        assertThat(ModelConfig.read(third).decoder().normEpsilon())
                .isCloseTo(0.02 * HIDDEN / 64 / 2, offset(1e-4));
    }

    @Test
    void whatTakesNoShapeSaysSo() {
        new Small("llama", "model.", true).write(folder.resolve("small"));

        assertThatThrownBy(() -> new Checkpoint(folder.resolve("small@stories260k")))
                .hasMessageContaining("in the shape 'stories260k'")
                .hasMessageContaining("only targets and drafters");
    }

    @Test
    void aRefusedCheckpointLeavesNoFiles() throws IOException {
        var source = new Small("llama", "model.", true).write(folder.resolve("small"));
        Files.writeString(
                source.resolve("tokenizer.json"),
                "{\"model\": {\"type\": \"Unigram\", \"vocab\": []}}");

        assertThatThrownBy(() -> ModelPaths.resolved(folder.resolve("small@stories260k")))
                .hasMessageContaining("not a BPE tokenizer");
        try (var left = Files.walk(folder.resolve("shapes"))) {
            assertThat(left.filter(each -> each.toString().contains("writing"))).isEmpty();
        }
    }
}
