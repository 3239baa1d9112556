package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.SeededCases;
import dev.outrider.treeverify.TornadoTargetConfig;
import dev.outrider.treeverify.device.Devices;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.DeviceNetwork;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The largest trees and contexts: scores are the processor's, and a node's are those of its path as a chain, to the last bit.
@RequiresDevice
class LargestPassesTest {
    private static final int MOST_ROWS = TornadoTargetConfig.MAX_ROWS;
    private static final int POSITIONS = 32_768;

    private final SeededCases cases = new SeededCases(RandomDecoders.VOCABULARY);

    /// As many nodes as a run has rows, and one more, which is the only row of a second run.
    @ParameterizedTest
    @ValueSource(ints = {MOST_ROWS, MOST_ROWS + 1})
    void aTreeOfTheMostNodesScoresAsItsPaths(int nodes) {
        scoreAsPaths(config(2, 4, 400), cases.tokens(40), tree(nodes));
    }

    /// The tree's positions go beyond the last whole chunk.
    @Test
    @Tag("nightly")
    void aTreeBehindTheLongestContextScoresAsItsPaths() {
        scoreAsPaths(config(1, 1, POSITIONS + 16), cases.tokens(POSITIONS - 2), tree(16));
    }

    private void scoreAsPaths(DecoderConfig config, int[] prompt, TokenTree tree) {
        var weights = new RandomWeights(config, 11, 1.0);
        var shape =
                new ProgramShape(
                        config,
                        MOST_ROWS,
                        ProgramShape.USUAL_MASK_WORDS,
                        prompt.length + tree.size(),
                        4);
        var program =
                new TornadoProgram(
                        shape, new WeightLoader(shape, weights), Devices.at(0).device());
        try (var device = new DeviceNetwork(shape, program);
                var cache = device.newCache(shape.cacheRows());
                var processor = new VectorNetwork(config, weights, Precision.F32);
                var other = processor.newCache(shape.cacheRows())) {
            float[][] scored = scores(device, cache, prompt, tree);
            assertThat(scored).hasNumberOfRows(tree.size());
            assertThat(Agreement.distance(scored, scores(processor, other, prompt, tree)))
                    .describedAs(cases.replay())
                    .isLessThan(Agreement.TOLERANCE);
            cache.dropScratch();
            for (int leaf : leaves(tree)) {
                int[] path = tree.path(leaf);
                int[] tokens = Arrays.stream(path).map(tree::token).toArray();
                float[][] chain = Agreement.logits(device, RowBlock.continuing(cache, tokens));
                cache.dropScratch();
                for (int depth = 0; depth < path.length; depth++) {
                    assertThat(chain[depth])
                            .describedAs("node %d, %s", path[depth], cases.replay())
                            .containsExactly(scored[path[depth]]);
                }
            }
        }
    }

    private static float[][] scores(
            DecoderNetwork network, KvCache cache, int[] prompt, TokenTree tree) {
        prefill(network, cache, prompt);
        return Agreement.logits(network, RowBlock.ofTree(cache, tree));
    }

    private static void prefill(DecoderNetwork network, KvCache cache, int[] prompt) {
        var nothing = new PassOutputs(LogitRows.NONE, Set.of());
        for (int from = 0; from < prompt.length; from += MOST_ROWS) {
            int end = Math.min(prompt.length, from + MOST_ROWS);
            int[] tokens = Arrays.copyOfRange(prompt, from, end);
            network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
            Agreement.keep(cache, tokens.length);
        }
    }

    /// Returns a tree with wide and deep parts, of which a path has at least a fourth of the nodes.
    private TokenTree tree(int nodes) {
        var tree = TokenTree.builder(cases.token());
        while (tree.size() < nodes) {
            boolean deep = tree.size() <= nodes / 4;
            tree.add(deep ? tree.size() - 1 : cases.below(tree.size()), cases.token());
        }
        return tree.build();
    }

    private static int[] leaves(TokenTree tree) {
        var inner = new boolean[tree.size()];
        for (int node = 1; node < tree.size(); node++) {
            inner[tree.parent(node)] = true;
        }
        return IntStream.range(0, tree.size()).filter(node -> !inner[node]).toArray();
    }

    private static DecoderConfig config(int layers, int heads, int positions) {
        return DecoderConfig.builder()
                .vocabularySize(RandomDecoders.VOCABULARY)
                .hiddenSize(16)
                .intermediateSize(24)
                .layers(layers)
                .heads(heads)
                .keyValueHeads(1)
                .headSize(8)
                .maxPositions(positions)
                .tiedHead(true)
                .firstWindowLayer(layers)
                .build();
    }
}
