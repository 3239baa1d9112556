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
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.WeightLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
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
        var folder = DECODERS.resolve(family);
        var directory = new Checkpoint(folder);
        var model = ModelConfig.read(directory);
        var config = model.decoder();
        TornadoTargetConfig.requireForm(folder, config);
        var shape = new ProgramShape(config, 16, 1, 96, 8).withKeyChunk(7);
        try (var tensors = directory.openTensors()) {
            var weights = CheckpointWeights.of(config, tensors, model.quantisation());
            try (var device =
                            TornadoCode.network(
                                    shape,
                                    new WeightLoader(shape, weights),
                                    Devices.at(0),
                                    CudaGraphs.AUTO);
                    var processor = new VectorNetwork(config, weights, Precision.F32)) {
                compare(device, processor, folder);
            }
        }
    }

    private static void compare(DecoderNetwork device, DecoderNetwork processor, Path folder)
            throws IOException {
        var read = new ObjectMapper().readTree(folder.resolve("expected.json").toFile());
        int[] tokens = read.path("tokens").valueStream().mapToInt(JsonNode::intValue).toArray();
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
