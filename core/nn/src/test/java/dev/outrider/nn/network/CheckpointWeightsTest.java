package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointWeightsTest {
    private static final DecoderConfig CONFIG =
            DecoderConfig.builder()
                    .vocabularySize(3)
                    .hiddenSize(4)
                    .intermediateSize(4)
                    .layers(2)
                    .heads(2)
                    .keyValueHeads(1)
                    .maxPositions(8)
                    .tiedHead(true)
                    .build();

    @TempDir Path directory;

    @Test
    void knowsTheSpellingsOfWrappedAndBareDecoders() {
        assertThat(name(Set.of("model.embed_tokens.weight"), Weight.QUERY))
                .isEqualTo("model.layers.1.self_attn.q_proj.weight");
        assertThat(name(Set.of("model.language_model.embed_tokens.weight"), Weight.FINAL_NORM))
                .isEqualTo("model.language_model.norm.weight");
        assertThat(name(Set.of("language_model.model.embed_tokens.weight"), Weight.DOWN))
                .isEqualTo("language_model.model.layers.1.mlp.down_proj.weight");
        assertThat(name(Set.of("language_model.model.embed_tokens.weight"), Weight.HEAD))
                .isEqualTo("language_model.lm_head.weight");
        assertThat(name(Set.of("embed_tokens.weight"), Weight.KEY_NORM))
                .isEqualTo("layers.1.self_attn.k_norm.weight");
        assertThat(name(Set.of("something"), Weight.EMBEDDING))
                .isEqualTo("model.embed_tokens.weight");
    }

    @Test
    void readsEveryWeightThatIsThere() {
        var stored = decoder("model.language_model.");
        stored.add(
                StoredTensor.ofFloats(
                        "model.language_model.layers.0.self_attn.rotary_emb.inv_freq",
                        new float[1],
                        1));
        stored.add(StoredTensor.ofFloats("lm_head.weight", new float[12], 3, 4));
        try (var tensors = tensors(stored)) {
            var weights = new CheckpointWeights(CONFIG, tensors);
            for (var weight : Weight.values()) {
                if (weight.present(CONFIG)) {
                    weights.read(
                            weight,
                            0,
                            numbers ->
                                    assertThat(numbers.byteSize())
                                            .isEqualTo(weight.elements(CONFIG, 0) * Float.BYTES));
                }
            }
        }
    }

    @Test
    void refusesABiasTheConfigurationDoesNotHave() {
        var stored = decoder("model.");
        stored.add(StoredTensor.ofFloats("model.layers.1.self_attn.q_proj.bias", new float[4], 4));
        try (var tensors = tensors(stored)) {
            assertThatThrownBy(() -> new CheckpointWeights(CONFIG, tensors))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: '%s' holds tensor 'model.layers.1.self_attn.q_proj.bias', which the model of its config.json does not have
                              Check that config.json and the weights belong to the same model.\
                            """
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    @Test
    void namesATensorOfTheWrongShape() {
        var stored = decoder("model.");
        stored.removeIf(tensor -> tensor.name().equals("model.layers.0.mlp.up_proj.weight"));
        stored.add(StoredTensor.ofFloats("model.layers.0.mlp.up_proj.weight", new float[20], 5, 4));
        try (var tensors = tensors(stored)) {
            assertThatThrownBy(() -> new CheckpointWeights(CONFIG, tensors))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining(
                            "tensor 'model.layers.0.mlp.up_proj.weight' of '%s' has shape [5, 4]; expected [4, 4]"
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    /// This took half a minute when the code looped over all layers that a configuration names.
    @Test
    void looksForNoMoreLayersThanThereAre() {
        var endless = CONFIG.toBuilder().layers(1_000_000_000).build();
        try (var tensors = tensors(decoder("model."))) {
            var bean = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = bean.getCurrentThreadAllocatedBytes();
            assertThatThrownBy(() -> new CheckpointWeights(endless, tensors))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith(
                            "CHECKPOINT_INCOMPLETE: there is no tensor 'model.layers.2.input_layernorm.weight'");
            assertThat(bean.getCurrentThreadAllocatedBytes() - before).isLessThan(50_000_000);
        }
    }

    @Test
    void refusesLayersThatNothingReads() {
        var shorter = CONFIG.toBuilder().layers(1).build();
        try (var tensors = tensors(decoder("model."))) {
            assertThatThrownBy(() -> new CheckpointWeights(shorter, tensors))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: '%s' holds tensor 'model.layers.1.input_layernorm.weight', which the model of its config.json does not have
                              Check that config.json and the weights belong to the same model.\
                            """
                                    .formatted(directory.resolve("model.safetensors")));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "model.layers.0.self_attn.sinks",
                "model.layers.0.self_attn.q_proj.weight_scale_inv",
                "model.layers.0.self_attn.q_proj.lora_A.weight",
                "model.embed_positions.weight",
                "model.norm.bias",
                "lm_head.bias"
            })
    void refusesWhatWouldChangeResults(String name) {
        var stored = decoder("model.");
        stored.add(StoredTensor.ofFloats(name, new float[4], 4));
        try (var tensors = tensors(stored)) {
            assertThatThrownBy(() -> new CheckpointWeights(CONFIG, tensors))
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining("holds tensor '%s', which", name);
        }
    }

    @Test
    void leavesAloneWhatBelongsToNoDecoder() {
        var stored = decoder("model.");
        for (var name :
                List.of(
                        "lm_head.weight",
                        "model.rotary_emb.inv_freq",
                        "model.layers.1.self_attn.rotary_emb.inv_freq",
                        "model.layers.2.eh_proj.weight",
                        "model.layers.2.self_attn.q_proj.weight",
                        "model.mtp_layers.0.input_proj.weight",
                        "mtp.fc.weight",
                        "medusa_head.0.0.linear.weight",
                        "visual.blocks.0.attn.qkv.weight",
                        "vision_tower.encoder.layers.0.norm.weight",
                        "score.weight")) {
            stored.add(StoredTensor.ofFloats(name, new float[4], 4));
        }
        try (var tensors = tensors(stored)) {
            assertThat(new CheckpointWeights(CONFIG, tensors).read())
                    .hasSameElementsAs(decoder("model.").stream().map(StoredTensor::name).toList());
        }
    }

    @Test
    void refusesNumbersThatAreNoWeights() {
        var stored = decoder("model.");
        stored.removeIf(tensor -> tensor.name().equals("model.norm.weight"));
        stored.add(StoredTensor.ofLongs("model.norm.weight", new long[4], 4));
        try (var tensors = tensors(stored)) {
            assertThatThrownBy(() -> new CheckpointWeights(CONFIG, tensors))
                    .hasMessageStartingWith(
                            "CHECKPOINT_UNSUPPORTED: tensor 'model.norm.weight' is stored as I64; expected one of [F16, BF16, F32, F64]");
        }
    }

    @Test
    void countsTheMemoryOfTheRotaryTables() {
        var far = CONFIG.toBuilder().maxPositions(1_000_000_000).build();
        assertThatThrownBy(() ->
                        DecoderMemory.of(far, Precision.F32)
                                .require("target 'far'", 1_000_000_000, Long.MAX_VALUE))
                .isInstanceOf(OutriderException.class)
                .hasMessageStartingWith(
                        "OUT_OF_MEMORY: the position tables of target 'far' for 1000000000 positions take ")
                .hasMessageContaining(
                        "Set maxPositions of the target to the longest text you need");
        var memory = DecoderMemory.of(CONFIG, Precision.F32);
        assertThatThrownBy(() -> memory.require("target 'small'", 8, memory.weights() - 1))
                .hasMessageStartingWith(
                        "OUT_OF_MEMORY: the weights of target 'small' take 1 MiB, but 1 MiB are available.");
        memory.require("target 'small'", 8, memory.weights());
    }

    @Test
    void aTableThatNoArrayHoldsIsNotBegun() {
        var far = CONFIG.toBuilder().headSize(128).maxPositions(1_000_000_000).build();
        assertThatThrownBy(() -> RopeTable.of(far, far.maxPositions()))
                .isInstanceOf(ArithmeticException.class);
    }

    @Test
    void memoryHasTheRowsThatProcessorsReadAtATime() {
        var config = CONFIG.toBuilder().hiddenSize(512).intermediateSize(600).layers(2).build();
        var random = new RandomWeights(config, 1, 1);
        WeightSource whole = random::read;
        int readers = Math.min(2, Runtime.getRuntime().availableProcessors());
        long kept = Weight.parameters(config) * Float.BYTES;

        assertThat(DecoderMemory.of(config, random, Precision.F32).weights())
                .isEqualTo(kept + readers * (1L << 20));
        assertThat(DecoderMemory.of(config, whole, Precision.F32).weights())
                .isEqualTo(kept + readers * 600 * 512L * Float.BYTES);
    }

    @Test
    void randomRowsAreTheWholeMatrix() {
        var config = CONFIG.toBuilder().hiddenSize(512).intermediateSize(600).build();
        var weights = new RandomWeights(config, 1, 1);
        var all = new float[600 * 512];
        weights.read(Weight.GATE, 0, memory -> copy(memory, all, 0));

        var rows = new float[600 * 512];
        assertThat(copyRows(weights, rows)).containsExactly(512 * 512, 88 * 512);
        assertThat(rows).isEqualTo(all);
    }

    /// A matrix of 1.2 MB in 32 bits, alone in its tensor or with rows of it among another's.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void someRowsAfterOthersAreTheWholeMatrix(boolean shared) {
        var config = CONFIG.toBuilder().hiddenSize(512).intermediateSize(600).layers(1).build();
        var numbers = new float[1200 * 512];
        var random = new Random(4);
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = random.nextFloat() - 0.5f;
        }
        var tensor =
                shared
                        ? StoredTensor.ofBfloat16("W", numbers, 1200, 512)
                        : StoredTensor.ofBfloat16("W", Arrays.copyOf(numbers, 600 * 512), 600, 512);
        var part = shared ? new TensorPart("W", 1200, 10, 50, 100, false) : TensorPart.whole("W");
        try (var tensors = tensors(List.of(tensor))) {
            var weights = new CheckpointWeights(config, tensors, naming(part));
            var all = new float[600 * 512];
            weights.read(Weight.GATE, 0, memory -> copy(memory, all, 0));

            var rows = new float[600 * 512];
            var calls = copyRows(weights, rows);

            assertThat(rows).isEqualTo(all);
            assertThat(calls).hasSizeGreaterThan(1);
            assertThat(weights.readingBytes(config, Weight.GATE, 0))
                    .isEqualTo(calls.getFirst() * (long) Float.BYTES);
            int second = shared ? 110 : 50;
            assertThat(all[50 * 512]).isCloseTo(numbers[second * 512], within(0.004f));
        }
    }

    private static List<Integer> copyRows(WeightSource weights, float[] to) {
        var counts = new ArrayList<Integer>();
        weights.readRows(
                Weight.GATE,
                0,
                memory -> {
                    int first = counts.stream().mapToInt(each -> each).sum();
                    counts.add(copy(memory, to, first));
                });
        return counts;
    }

    private static int copy(MemorySegment from, float[] to, int first) {
        int count = (int) (from.byteSize() / Float.BYTES);
        MemorySegment.copy(from, ValueLayout.JAVA_FLOAT, 0, to, first, count);
        return count;
    }

    private static WeightNaming naming(TensorPart part) {
        return new WeightNaming() {
            @Override
            public List<String> names(Weight weight, int number) {
                return weight == Weight.GATE ? List.of(part.name()) : List.of();
            }

            @Override
            public List<TensorPart> parts(Weight weight, int number) {
                return weight == Weight.GATE ? List.of(part) : List.of();
            }

            @Override
            public boolean mayStayUnread(String name, Set<String> all) {
                return true;
            }
        };
    }

    private static String name(Set<String> names, Weight weight) {
        return WeightNaming.of(CONFIG, names).names(weight, 1).getFirst();
    }

    private static List<StoredTensor> decoder(String prefix) {
        var names = WeightNaming.of(CONFIG, Set.of(prefix + "embed_tokens.weight"));
        var stored = new ArrayList<StoredTensor>();
        for (var weight : Weight.values()) {
            for (int layer = 0;
                    weight.present(CONFIG) && layer < (weight.perLayer() ? 2 : 1);
                    layer++) {
                var values = new float[(int) weight.elements(CONFIG, layer)];
                stored.add(
                        StoredTensor.ofFloats(
                                names.names(weight, layer).getFirst(),
                                values,
                                weight.shape(CONFIG, layer)));
            }
        }
        return stored;
    }

    private CheckpointTensors tensors(List<StoredTensor> stored) {
        var path = directory.resolve("model.safetensors");
        SafetensorsWriter.write(path, stored, Map.of());
        return CheckpointTensors.ofFile(path);
    }
}
