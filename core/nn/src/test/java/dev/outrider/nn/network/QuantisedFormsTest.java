package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.Quantisation;
import dev.outrider.nn.checkpoint.SafetensorsWriter;
import dev.outrider.nn.checkpoint.StoredTensor;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.tree.TokenTree;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Tests decoders in third-party quantised forms, which a script in another language wrote (`quantised/reference.py`).
class QuantisedFormsTest {
    static final List<String> FORMS =
            List.of(
                    "gptq4-g32",
                    "gptq4-g128-sym",
                    "gptq4-g64-v2",
                    "gptq8",
                    "awq4-g32",
                    "awq4-g128",
                    "packed4-g32-bf16",
                    "packed4-g128",
                    "packed4",
                    "packed8-g64",
                    "packed8",
                    "int8",
                    "float8",
                    "float8-rows",
                    "float8-blocks",
                    "fp8",
                    "fp8-bf16",
                    "awq4",
                    "mixtral-gptq4-g32",
                    "mixtral-awq4-g32",
                    "mixtral-packed4-g32",
                    "qwen3_moe-fp8",
                    "phi3-gptq4-g32",
                    "phi3-awq4-g128",
                    "float8-static",
                    "fp8-static",
                    "int8-rows");

    private static final int[] TOKENS = {3, 17, 0, 31, 8, 8, 21, 5, 12};
    private static final String QUERY = "model.layers.0.self_attn.q_proj";

    @TempDir private Path folder;

    private static Checkpoint directory(String form) {
        return resource("/quantised/" + form);
    }

    private static Checkpoint resource(String name) {
        try {
            var resource = QuantisedFormsTest.class.getResource(name);
            return new Checkpoint(Path.of(resource.toURI()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Checkpoint decoder(String family) {
        return resource("/decoders/" + family);
    }

    private static CheckpointWeights weights(String form, CheckpointTensors tensors) {
        var model = ModelConfig.read(directory(form));
        return CheckpointWeights.of(model.decoder(), tensors, model.quantisation());
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void numbersAreThoseOfTheDefinition(String form) throws IOException {
        var expected =
                new ObjectMapper()
                        .readTree(directory(form).path().resolve("expected.json").toFile());
        try (var tensors = directory(form).openTensors()) {
            var config = ModelConfig.read(directory(form)).decoder();
            var weights = weights(form, tensors);
            var names = WeightNaming.of(config, tensors.names());
            int checked = 0;
            for (var weight : Weight.values()) {
                if (!weight.linear() || !weight.perLayer()) {
                    continue;
                }
                for (int number = 0; number < weight.copies(config); number++) {
                    if (!weight.present(config, number)) {
                        continue;
                    }
                    var name =
                            weight.perExpert()
                                    ? names.names(weight, number).getFirst()
                                    : "model.layers.0." + WeightNaming.inLayer(weight);
                    weights.read(
                            weight,
                            number,
                            numbers ->
                                    assertThat(digest(numbers))
                                            .as(name)
                                            .isEqualTo(expected.path(name).textValue()));
                    checked++;
                }
            }
            assertThat(checked).isEqualTo(expected.size());
        }
    }

    private static String digest(MemorySegment numbers) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            sha.update(numbers.asByteBuffer());
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void codesMultiplyAsTheirNumbersDo(String form) {
        try (var tensors = directory(form).openTensors()) {
            var weights = weights(form, tensors);
            var config = ModelConfig.read(directory(form)).decoder();
            var blocks = new BlockWeights(weights);
            try (var kept = new VectorNetwork(config, blocks, Precision.BF16, RowPrecision.F32);
                    var plain = new VectorNetwork(config, weights, Precision.F32)) {
                var logits = whole(kept);
                assertThat(logits).isDeepEqualTo(whole(plain));
                assertThat(stepped(kept)).isDeepEqualTo(logits);
                assertThat(branched(kept)).isDeepEqualTo(logits);
            }
            try (var rounded =
                    new VectorNetwork(config, blocks, Precision.BF16, RowPrecision.INT8)) {
                var logits = whole(rounded);
                assertThat(stepped(rounded)).isDeepEqualTo(logits);
                assertThat(branched(rounded)).isDeepEqualTo(logits);
            }
        }
    }

    private static float[][] whole(DecoderNetwork network) {
        try (var cache = network.newCache(TOKENS.length);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, TOKENS)),
                                PassOutputs.allLogits())) {
            return Cases.logits(result);
        }
    }

    private static float[][] stepped(DecoderNetwork network) {
        var logits = new float[TOKENS.length][];
        try (var cache = network.newCache(TOKENS.length)) {
            for (int at = 0; at < TOKENS.length; at++) {
                try (var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, TOKENS[at])),
                                PassOutputs.allLogits())) {
                    logits[at] = Cases.floats(result.logits(0));
                }
                cache.keep(List.of(0));
            }
        }
        return logits;
    }

    /// As a path of a tree whose other nodes are wrong.
    private static float[][] branched(DecoderNetwork network) {
        var tree = TokenTree.builder(TOKENS[0]);
        var path = new ArrayList<>(List.of(0));
        for (int at = 1; at < TOKENS.length; at++) {
            tree.add(path.getLast(), 1);
            path.add(tree.size());
            tree.add(path.get(path.size() - 2), TOKENS[at]);
        }
        try (var cache = network.newCache(2 * TOKENS.length);
                var result =
                        network.forward(
                                List.of(RowBlock.ofTree(cache, tree.build())),
                                PassOutputs.allLogits())) {
            return path.stream()
                    .map(node -> Cases.floats(result.logits(node)))
                    .toArray(float[][]::new);
        }
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void memoryIsThatOfTheCodes(String form) {
        try (var tensors = directory(form).openTensors()) {
            var weights = new BlockWeights(weights(form, tensors));
            var config = ModelConfig.read(directory(form)).decoder();
            long kept = DecoderMemory.of(config, weights, VectorNetwork::bits).weights();
            long stored =
                    tensors.names().stream()
                            .mapToLong(name -> tensors.tensor(name).data().byteSize())
                            .sum();
            // Scales take 32 bits, those of whole rows every 128 columns.
            assertThat(kept).isBetween(stored * 9 / 10, stored * 5 / 4);
            assertThat(weights.formats(Precision.BF16)).endsWith("+f16");
        }
    }

    @ParameterizedTest
    @FieldSource("FORMS")
    void whatIsMissingOrOfAnotherShapeIsNamed(String form) {
        try (var tensors = directory(form).openTensors()) {
            int checked = 0;
            for (var name : tensors.names()) {
                var matrix = matrix(form);
                boolean unread = name.endsWith("g_idx") || name.endsWith("input_scale");
                if (name.startsWith(matrix) && !unread) {
                    assertRefused(form, tensors, name, matrix, _ -> Optional.empty());
                    assertRefused(form, tensors, name, matrix, QuantisedFormsTest::flat);
                    assertRefused(form, tensors, name, matrix, QuantisedFormsTest::truths);
                    checked++;
                }
            }
            assertThat(checked).isPositive();
        }
    }

    private static String matrix(String form) {
        return switch (form.split("-")[0]) {
            case "mixtral" -> "model.layers.0.block_sparse_moe.experts.1.w2";
            case "qwen3_moe" -> "model.layers.0.mlp.experts.1.down_proj";
            case "phi3" -> "model.layers.0.self_attn.qkv_proj";
            default -> QUERY;
        };
    }

    /// A router in few bits would choose other experts.
    @Test
    void routersInFewBitsAreRefusedByName() {
        var form = "mixtral-gptq4-g32";
        var router = "model.layers.0.block_sparse_moe.gate.weight";
        try (var tensors = directory(form).openTensors()) {
            assertRefused(
                    form,
                    tensors,
                    router,
                    "there is no tensor '%s'".formatted(router),
                    tensor ->
                            Optional.of(
                                    new StoredTensor(
                                            router.replace(".weight", ".qweight"),
                                            tensor.type(),
                                            tensor.shape(),
                                            tensor.data())));
        }
    }

    private static Optional<StoredTensor> flat(StoredTensor tensor) {
        return Optional.of(
                        new StoredTensor(
                                tensor.name(),
                                tensor.type(),
                                List.of(1L, 1L, tensor.elements()),
                                tensor.data()))
                .filter(_ -> tensor.elements() > 1);
    }

    private static Optional<StoredTensor> truths(StoredTensor tensor) {
        var values = new boolean[Math.toIntExact(tensor.elements())];
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        return Optional.of(StoredTensor.ofBooleans(tensor.name(), values, shape));
    }

    @Test
    void groupsThatDoNotFollowEachOtherAreRefused() {
        try (var tensors = directory("gptq4-g128-sym").openTensors()) {
            assertRefused(
                    "gptq4-g128-sym",
                    tensors,
                    QUERY + ".g_idx",
                    "puts input 5 into group 7; expected 0",
                    tensor -> Optional.of(changed(tensor, 5 * Integer.BYTES, (byte) 7)));
        }
    }

    @Test
    void groupsInAnyOrderMustBeListed() {
        var form = directory("gptq4-g128-sym");
        try (var tensors = form.openTensors()) {
            var model = ModelConfig.read(form);
            var path = write(tensors, QUERY + ".g_idx", _ -> Optional.empty());
            try (var changed = CheckpointTensors.ofFile(path)) {
                assertThat(weights("gptq4-g128-sym", changed).read()).isNotEmpty();
                var listed = new Quantisation(Quantisation.Layout.GPTQ, 4, 1, 128, true, true);
                assertThatThrownBy(() ->
                                CheckpointWeights.of(model.decoder(), changed, Optional.of(listed)))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageStartingWith("CHECKPOINT_INCOMPLETE")
                        .hasMessageContaining(QUERY + ".g_idx");
            }
        }
    }

    @Test
    void numbersThatAreNoneAreRefused() {
        assertNoNumber("fp8", ".weight", 70, (byte) 0x7f, "number 6 of row 1 of tensor");
        assertNoNumber("fp8", ".weight_scale_inv", 3, (byte) 0x7f, "number 0 of tensor");
        assertNoNumber("awq4-g32", ".scales", 1, (byte) 0x7c, "number 0 of tensor");
    }

    private void assertNoNumber(String form, String part, int at, byte value, String message) {
        try (var tensors = directory(form).openTensors()) {
            var path =
                    write(tensors, QUERY + part, tensor -> Optional.of(changed(tensor, at, value)));
            try (var changed = CheckpointTensors.ofFile(path)) {
                var weights = new BlockWeights(weights(form, changed));
                var config = ModelConfig.read(directory(form)).decoder();
                assertThatThrownBy(() -> new VectorNetwork(config, weights, Precision.BF16))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: " + message)
                        .hasMessageContaining(QUERY + part);
            }
        }
    }

    private static StoredTensor changed(StoredTensor tensor, long at, byte value) {
        var bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
        bytes[Math.toIntExact(at)] = value;
        if (tensor.type() == TensorType.F32) {
            bytes[Math.toIntExact(at) - 1] = (byte) 0x80;
        }
        return new StoredTensor(
                tensor.name(), tensor.type(), tensor.shape(), MemorySegment.ofArray(bytes));
    }

    @Test
    void tensorsOfAnotherFormAreRefused() {
        var model = ModelConfig.read(directory("awq4-g32"));
        try (var tensors = directory("int8").openTensors()) {
            assertThatThrownBy(() ->
                            CheckpointWeights.of(model.decoder(), tensors, model.quantisation()))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageContaining(QUERY + ".weight' is stored as I8");
        }
    }

    @Test
    void aBiasThatTheModelHasNotMayOnlyBeZeros() {
        assertThat(weightsWithBias(0).read()).isNotEmpty().doesNotContain(QUERY + ".bias");
        for (float number : new float[] {1e-7f, Float.NaN}) {
            assertThatThrownBy(() -> weightsWithBias(number))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining("holds tensor '" + QUERY + ".bias'");
        }
    }

    private CheckpointWeights weightsWithBias(float number) {
        var stored = new ArrayList<StoredTensor>();
        var path = folder.resolve("bias.safetensors");
        try (var tensors = directory("gptq4-g32").openTensors()) {
            tensors.names().forEach(name -> stored.add(tensors.tensor(name)));
            var bias = new float[64];
            bias[63] = number;
            stored.add(StoredTensor.ofFloats(QUERY + ".bias", bias, bias.length));
            SafetensorsWriter.write(path, stored, Map.of());
        }
        try (var tensors = CheckpointTensors.ofFile(path)) {
            return weights("gptq4-g32", tensors);
        }
    }

    @Test
    void projectionsThatShareAMatrixAreFoundHoweverItIsKept() {
        var config = ModelConfig.read(decoder("phi3")).decoder();
        for (var ending : List.of("weight", "weight_packed", "qweight")) {
            var names = List.of("model.layers.0.self_attn.qkv_proj." + ending);
            assertThat(WeightNaming.of(config, names).names(Weight.KEY, 0))
                    .containsExactly("model.layers.0.self_attn.qkv_proj.weight");
        }
    }

    /// GPT-2, of which a quantiser converts only the head.
    @Test
    void matricesWithInputsForRowsAreNotTakenAsTheyAre() {
        var config =
                ModelConfig.read(decoder("gpt2")).decoder().toBuilder().tiedHead(false).build();
        var stored = new ArrayList<StoredTensor>();
        try (var tensors = decoder("gpt2").openTensors()) {
            tensors.names().forEach(name -> stored.add(tensors.tensor(name)));
            long rows = config.vocabularySize();
            long columns = config.hiddenSize();
            stored.add(
                    new StoredTensor(
                            "lm_head.weight",
                            TensorType.I8,
                            List.of(rows, columns),
                            MemorySegment.ofArray(new byte[(int) (rows * columns)])));
            stored.add(
                    StoredTensor.ofFloats("lm_head.weight_scale", new float[(int) rows], rows, 1));
            SafetensorsWriter.write(folder.resolve("head.safetensors"), stored, Map.of());
        }
        var form =
                new Quantisation(
                        Quantisation.Layout.INTEGERS, Byte.SIZE, 1, Quantisation.ALL, false);
        try (var tensors = CheckpointTensors.ofFile(folder.resolve("head.safetensors"))) {
            var weights = CheckpointWeights.of(config, tensors, Optional.of(form));
            assertThatThrownBy(() ->
                            DecoderMemory.of(
                                    config, new BlockWeights(weights), VectorNetwork::bits))
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining("attn.c_attn.weight', whose rows are inputs")
                    .hasMessageContaining("Set 'precision'");
            try (var widened = new VectorNetwork(config, weights, Precision.F32)) {
                assertThat(whole(widened)).hasNumberOfRows(TOKENS.length);
            }
        }
    }

    @Test
    void plainWeightsAreRefusedWhereOthersAreStated() {
        var stored = new ArrayList<StoredTensor>();
        try (var tensors = directory("int8").openTensors()) {
            for (var name : tensors.names()) {
                var tensor = tensors.tensor(name);
                if (tensor.type() == TensorType.I8) {
                    var numbers = new float[Math.toIntExact(tensor.elements())];
                    long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
                    stored.add(StoredTensor.ofFloats(name, numbers, shape));
                } else if (!name.endsWith("_scale")) {
                    stored.add(tensor);
                }
            }
            var path = folder.resolve("plain.safetensors");
            SafetensorsWriter.write(path, stored, Map.of());
            try (var plain = CheckpointTensors.ofFile(path)) {
                assertThatThrownBy(() -> weights("awq4-g32", plain))
                        .isInstanceOf(OutriderException.class)
                        .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                        .hasMessageContaining("holds no weights that are kept as awq4-g32");
            }
        }
    }

    private void assertRefused(
            String form,
            CheckpointTensors tensors,
            String name,
            String message,
            Function<StoredTensor, Optional<StoredTensor>> change) {
        var path = write(tensors, name, change);
        try (var changed = CheckpointTensors.ofFile(path)) {
            assertThatThrownBy(() -> weights(form, changed))
                    .as(name)
                    .isInstanceOf(OutriderException.class)
                    .hasMessageStartingWith("CHECKPOINT_")
                    .hasMessageContaining(message);
        }
    }

    private Path write(
            CheckpointTensors tensors,
            String name,
            Function<StoredTensor, Optional<StoredTensor>> change) {
        var stored = new ArrayList<StoredTensor>();
        for (var each : tensors.names()) {
            var tensor = tensors.tensor(each);
            (each.equals(name) ? change.apply(tensor) : Optional.of(tensor)).ifPresent(stored::add);
        }
        var path = folder.resolve("changed.safetensors");
        SafetensorsWriter.write(path, stored, Map.of());
        return path;
    }
}
