package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.treeverify.TornadoTargetConfig.CudaGraphs;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.GraphParts;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Passes of several graphs over shared arrays compute the same however often they run. NVIDIA's back ends replay them as CUDA
/// graphs. OpenCL has none: there this shows repeated execution over shared arrays, and nothing about replay.
@RequiresDevice
class ManyPassesTest {
    private static final int LAYERS = 14;
    private static final int LAYERS_OF_GRAPH = 5;
    private static final int PASSES = 1000;
    private static final int[] TOKENS = {4, 17, 9};

    @Test
    void thousandPassesOfThreeGraphsEqualThoseThatAreNotReplayed() {
        try (var replayed = network(CudaGraphs.AUTO);
                var plain = network(CudaGraphs.OFF);
                var cache = started(replayed);
                var other = started(plain)) {
            var expected = new float[TOKENS.length][];
            for (int index = 0; index < TOKENS.length; index++) {
                expected[index] = next(plain, other, TOKENS[index]);
            }
            assertThat(expected[0]).isNotEqualTo(expected[1]);
            assertThat(expected[1]).isNotEqualTo(expected[2]);
            for (int pass = 0; pass < PASSES; pass++) {
                int index = pass % TOKENS.length;
                assertThat(next(replayed, cache, TOKENS[index]))
                        .describedAs("pass %d", pass)
                        .isEqualTo(expected[index]);
            }
        }
    }

    /// Returns the logits of a token behind the same sequence.
    private static float[] next(DeviceNetwork network, KvCache cache, int token) {
        float[] logits = Agreement.logits(network, RowBlock.continuing(cache, token))[0];
        cache.dropScratch();
        return logits;
    }

    private static KvCache started(DeviceNetwork network) {
        var cache = network.newCache(12);
        Agreement.logits(network, RowBlock.continuing(cache, 1, 2, 3));
        Agreement.keep(cache, 3);
        return cache;
    }

    private static DeviceNetwork network(CudaGraphs graphs) {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(RandomDecoders.VOCABULARY)
                        .hiddenSize(16)
                        .intermediateSize(24)
                        .layers(LAYERS)
                        .heads(2)
                        .keyValueHeads(1)
                        .maxPositions(16)
                        .tiedHead(false)
                        .firstWindowLayer(LAYERS)
                        .build();
        var shape = new ProgramShape(config, 4, 1, 16, 4);
        assertThat(GraphParts.of(shape, LAYERS_OF_GRAPH)).isEqualTo(List.of(5, 5, 4));
        var device = Devices.at(0);
        var program =
                new TornadoProgram(
                        shape,
                        new WeightLoader(shape, new RandomWeights(config, 3, 1.0)),
                        device.device(),
                        LAYERS_OF_GRAPH,
                        graphs.replayOn(device.info()));
        return new DeviceNetwork(shape, program);
    }
}
