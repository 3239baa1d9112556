package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// For every family of decoders the device's results agree with those of an implementation in another language, and its token ids
/// are those of the processor.
@RequiresDevice
class FamiliesOnDeviceTest {
    private static final float TOLERANCE = 1e-4f;
    private static final Path DECODERS =
            Checkpoints.root().resolve("core/nn/src/test/resources/decoders");

    static List<String> families() throws IOException {
        try (var folders = Files.list(DECODERS)) {
            return folders.filter(Files::isDirectory)
                    .map(each -> each.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void runs(String family) throws IOException {
        run(family, WeightFormat.F32, FamiliesOnDeviceTest::compare);
    }

    static Stream<Arguments> familiesInFewerBits() throws IOException {
        return families().stream()
                .flatMap(family ->
                        Stream.of(WeightFormat.F16, WeightFormat.INT8)
                                .map(format -> Arguments.of(family, format)));
    }

    @ParameterizedTest
    @MethodSource("familiesInFewerBits")
    @Tag("nightly")
    void agreesWithTheProcessorInFewerBits(String family, WeightFormat format)
            throws IOException {
        run(
                family,
                format,
                (device, processor, folder) ->
                        Agreement.require(device, processor, tokens(expected(folder))));
    }

    /// A comparison of a decoder on the device with the same on the processor.
    private interface Comparison {
        void of(DecoderNetwork device, DecoderNetwork processor, Path folder) throws IOException;
    }

    private static void run(String family, WeightFormat format, Comparison comparison)
            throws IOException {
        var folder = DECODERS.resolve(family);
        var directory = new Checkpoint(folder);
        var model = ModelConfig.read(directory);
        var config = model.decoder();
        TornadoTargetConfig.requireForm(folder, config);
        var shape = new ProgramShape(config, 16, 1, 96, 8, format, 7);
        var precision = Precision.valueOf(format.name());
        try (var tensors = directory.openTensors()) {
            var weights = CheckpointWeights.of(config, tensors, model.quantisation());
            try (var device =
                            TornadoCode.network(
                                    shape,
                                    new WeightLoader(shape, weights),
                                    Devices.at(0),
                                    CudaGraphs.AUTO);
                    var processor =
                            new VectorNetwork(config, weights, precision, RowPrecision.F32)) {
                comparison.of(device, processor, folder);
            }
        }
    }

    private static JsonNode expected(Path folder) throws IOException {
        return new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
    }

    private static int[] tokens(JsonNode expected) {
        return expected.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray();
    }

    private static void compare(DecoderNetwork device, DecoderNetwork processor, Path folder)
            throws IOException {
        var read = expected(folder);
        int[] tokens = tokens(read);
        try (var cache = device.newCache(48);
                var tree = device.newCache(48)) {
            float[][] logits = Agreement.logits(device, RowBlock.continuing(cache, tokens));
            for (int row = 0; row < tokens.length; row++) {
                var expected = read.path("logits").path(row);
                for (int token = 0; token < logits[row].length; token++) {
                    assertThat(logits[row][token])
                            .describedAs("row %d, token %d", row, token)
                            .isCloseTo(
                                    (float) expected.path(token).doubleValue(), within(TOLERANCE));
                }
            }
            Agreement.keep(cache, tokens.length);
            Agreement.logits(device, RowBlock.continuing(tree, tokens[0], tokens[1]));
            Agreement.keep(tree, 2);
            var branches = TokenTree.builder(tokens[2]);
            branches.add(0, 0);
            branches.add(0, tokens[3]);
            branches.add(2, tokens[4]);
            float[][] nodes = Agreement.logits(device, RowBlock.ofTree(tree, branches.build()));
            assertThat(nodes[2]).containsExactly(logits[3]);
            assertThat(nodes[3]).containsExactly(logits[4]);
        }
        assertThat(Agreement.greedy(device, tokens)).isEqualTo(Agreement.greedy(processor, tokens));
    }
}
