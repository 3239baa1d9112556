package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Requires that a decoder on a device agrees with the same decoder on the processor, and that a row has the same bits in a tree
/// as in a chain.
final class Agreement {
    static final double TOLERANCE = 1e-4;

    private static final int WRITTEN = 16;
    private static final int CACHE_ROWS = 48;

    private Agreement() {}

    /// Compares logits within [#TOLERANCE], greedy ids, and the nodes of a tree with the chain.
    ///
    /// @param tokens at least five
    static void require(DecoderNetwork device, DecoderNetwork processor, int... tokens) {
        float[][] chain = logits(device, tokens);
        assertThat(distance(chain, logits(processor, tokens))).isLessThan(TOLERANCE);
        assertThat(greedy(device, tokens)).isEqualTo(greedy(processor, tokens));
        try (var cache = device.newCache(CACHE_ROWS)) {
            logits(device, RowBlock.continuing(cache, tokens[0], tokens[1]));
            keep(cache, 2);
            var branches = TokenTree.builder(tokens[2]);
            branches.add(0, 1);
            branches.add(0, tokens[3]);
            branches.add(1, 2);
            branches.add(2, tokens[4]);
            float[][] nodes = logits(device, RowBlock.ofTree(cache, branches.build()));
            assertThat(nodes[0]).containsExactly(chain[2]);
            assertThat(nodes[2]).containsExactly(chain[3]);
            assertThat(nodes[4]).containsExactly(chain[4]);
        }
    }

    /// Returns the largest distance of two rows of logits, relative to the length of the expected one.
    static double distance(DecoderNetwork device, DecoderNetwork processor, int... tokens) {
        return distance(logits(device, tokens), logits(processor, tokens));
    }

    /// Returns the largest distance of two rows, relative to the length of the expected one.
    static double distance(float[][] actual, float[][] expected) {
        double largest = 0;
        for (int row = 0; row < expected.length; row++) {
            double length = 0;
            double difference = 0;
            for (int index = 0; index < expected[row].length; index++) {
                length += Math.pow(expected[row][index], 2);
                difference += Math.pow(actual[row][index] - expected[row][index], 2);
            }
            double relative = Math.sqrt(difference / length);
            largest = Math.max(largest, Double.isNaN(relative) ? Double.MAX_VALUE : relative);
        }
        return largest;
    }

    private static float[][] logits(DecoderNetwork network, int... tokens) {
        try (var cache = network.newCache(CACHE_ROWS)) {
            return logits(network, RowBlock.continuing(cache, tokens));
        }
    }

    /// Returns the logits of all rows of a block.
    static float[][] logits(DecoderNetwork network, RowBlock block) {
        try (var pass = network.forward(List.of(block), PassOutputs.allLogits())) {
            return IntStream.range(0, pass.rows())
                    .mapToObj(row -> pass.logits(row).toArray(ValueLayout.JAVA_FLOAT))
                    .toArray(float[][]::new);
        }
    }

    /// Returns the greedy tokens after a prompt.
    static int[] greedy(DecoderNetwork network, int... tokens) {
        var written = new int[WRITTEN];
        try (var cache = network.newCache(CACHE_ROWS)) {
            int[] next = tokens;
            for (int index = 0; index < WRITTEN; index++) {
                float[] last = logits(network, RowBlock.continuing(cache, next))[next.length - 1];
                keep(cache, next.length);
                written[index] =
                        IntStream.range(0, last.length)
                                .reduce(0, (best, token) -> last[token] > last[best] ? token : best);
                next = Arrays.copyOfRange(written, index, index + 1);
            }
        }
        return written;
    }

    /// Keeps the first rows of a pass.
    static void keep(KvCache cache, int rows) {
        cache.keep(IntStream.range(0, rows).boxed().toList());
    }
}
