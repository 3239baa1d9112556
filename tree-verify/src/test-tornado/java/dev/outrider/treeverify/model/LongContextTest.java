package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.SeededCases;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// With chunks of the default length, a tree that crosses the end of a chunk has the same scores as plain decoding, to the last
/// bit.
@RequiresDevice
@Tag("quick")
class LongContextTest {
    private static final int POSITIONS = 3 * ProgramShape.USUAL_KEY_CHUNK;
    private static final int ROWS = 16;

    @Test
    void aTreeAcrossTheEndOfAChunkScoresAsPlainDecoding() {
        var cases = new SeededCases(RandomDecoders.VOCABULARY);
        int[] prompt = cases.tokens(2 * ProgramShape.USUAL_KEY_CHUNK - 2);
        var tree = cases.tree(ROWS);
        try (var network = network();
                var cache = network.newCache(POSITIONS)) {
            prefill(network, cache, prompt, ROWS);
            float[][] scored = logits(network, RowBlock.ofTree(cache, tree));
            cache.dropScratch();

            assertDecodesAlike(network, cache, tree, scored, cases);
            try (var alone = network.newCache(POSITIONS)) {
                prefill(network, alone, prompt, 1);
                assertDecodesAlike(network, alone, tree, scored, cases);
            }
        }
    }

    private static void assertDecodesAlike(
            DeviceNetwork network,
            KvCache cache,
            TokenTree tree,
            float[][] scored,
            SeededCases cases) {
        int leaf = tree.size() - 1;
        for (int node : tree.path(leaf)) {
            float[] alone = logits(network, RowBlock.continuing(cache, tree.token(node)))[0];
            assertThat(alone)
                    .describedAs("node %d of %s, %s", node, tree, cases.replay())
                    .containsExactly(scored[node]);
            cache.keep(List.of(0));
        }
    }

    private static void prefill(DeviceNetwork network, KvCache cache, int[] prompt, int rows) {
        var nothing = new PassOutputs(LogitRows.NONE, Set.of());
        for (int from = 0; from < prompt.length; from += rows) {
            int[] tokens = Arrays.copyOfRange(prompt, from, Math.min(prompt.length, from + rows));
            network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
            cache.keep(IntStream.range(0, tokens.length).boxed().toList());
        }
    }

    private static float[][] logits(DeviceNetwork network, RowBlock block) {
        try (var result = network.forward(List.of(block), PassOutputs.allLogits())) {
            return IntStream.range(0, block.tokens().length)
                    .mapToObj(row -> result.logits(row).toArray(ValueLayout.JAVA_FLOAT))
                    .toArray(float[][]::new);
        }
    }

    private static DeviceNetwork network() {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(RandomDecoders.VOCABULARY)
                        .hiddenSize(32)
                        .intermediateSize(40)
                        .layers(2)
                        .heads(4)
                        .keyValueHeads(2)
                        .maxPositions(POSITIONS)
                        .tiedHead(true)
                        .firstWindowLayer(2)
                        .build();
        var shape = new ProgramShape(config, ROWS, 1, 2 * POSITIONS, 4);
        var weights = new WeightLoader(shape, new RandomWeights(config, 11, 1.0));
        return new DeviceNetwork(
                shape, new TornadoProgram(shape, weights, Devices.at(0).device()));
    }
}
