package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.SeededCases;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The contract of every program: a decoder's arithmetic, for every kind of decoder, every order of rows and every number of runs
/// of a pass.
public abstract class ProgramContract {
    private static final double TOLERANCE = 1e-4;
    private static final int CACHE_ROWS = 200;

    /// Compiles a program.
    protected abstract DeviceProgram compile(ProgramShape shape, WeightLoader weights);

    /// Returns the number format of the matrices of the compiled programs.
    protected WeightFormat format() {
        return WeightFormat.F32;
    }

    /// Returns the keys of a chunk of the compiled programs. By default no row has a second chunk.
    protected int keyChunk() {
        return ProgramShape.USUAL_KEY_CHUNK;
    }

    /// Returns the number of random architectures that a test compiles.
    protected int architectures() {
        return 8;
    }

    @Test
    void agreesWithTheReferenceOnRandomArchitectures() {
        for (int seed = 0; seed < architectures(); seed++) {
            var config = RandomDecoders.config(new SplittableRandom(seed));
            var weights = weights(config, seed);
            var cases = new SeededCases(RandomDecoders.VOCABULARY);
            int[] prompt = cases.tokens(1 + cases.below(20));
            var tree = cases.tree(14);
            try (var network = network(config, seed, 8);
                    var reference = new VectorNetwork(config, weights, Precision.F32)) {
                assertClose(
                        states(network, prompt, tree),
                        states(reference, prompt, tree),
                        "seed %d, %s".formatted(seed, config));
            }
        }
    }

    @Test
    void aRowIsTheSameToTheLastBitInATreeAndAlone() {
        var cases = new SeededCases(RandomDecoders.VOCABULARY);
        try (var network = network(RandomDecoders.plain(), 3, 16)) {
            int[] prompt = cases.tokens(70);
            for (int trial = 0; trial < 4; trial++) {
                var tree = cases.tree(14);
                float[][] scored = logits(network, prompt, tree);
                for (int node = 0; node < tree.size(); node++) {
                    int[] path = Arrays.stream(tree.path(node)).map(tree::token).toArray();
                    assertThat(scored[node])
                            .describedAs("node %d of %s, %s", node, tree, cases.replay())
                            .containsExactly(tokenByToken(network, join(prompt, path)));
                }
            }
        }
    }

    @Test
    void keptRowsMoveInEveryOrderOfPaths() {
        var cases = new SeededCases(RandomDecoders.VOCABULARY);
        // A run has fewer moves than a long path, so that some runs only make moves.
        var config = RandomDecoders.plain();
        var shape = shape(config, 4, 2);
        var weights = new WeightLoader(shape, weights(config, 5));
        try (var network = new DeviceNetwork(shape, compile(shape, weights));
                var cache = network.newCache(100)) {
            int[] committed = {};
            for (int round = 0; round < 6; round++) {
                var tree = cases.tree(12);
                int leaf = tree.size() - 1;
                network.forward(List.of(RowBlock.ofTree(cache, tree)), PassOutputs.allLogits())
                        .close();
                cache.keep(Arrays.stream(tree.path(leaf)).boxed().toList());
                committed =
                        join(committed, Arrays.stream(tree.path(leaf)).map(tree::token).toArray());
                int next = cases.token();
                try (var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, next)),
                                PassOutputs.allLogits())) {
                    assertThat(floats(result.logits(0)))
                            .describedAs("round %d, %s", round, cases.replay())
                            .containsExactly(
                                    tokenByToken(network, join(committed, new int[] {next})));
                }
                cache.dropScratch();
            }
        }
    }

    @Test
    void logitsAndStatesComeForTheRowsThatWereAskedFor() {
        try (var network = network(RandomDecoders.plain(), 7, 4);
                var cache = network.newCache(30);
                var all = network.newCache(30)) {
            int[] tokens = IntStream.range(0, 11).toArray();
            var normed = Set.<HiddenState>of(new HiddenState.AfterFinalNorm());
            try (var last =
                            network.forward(
                                    List.of(RowBlock.continuing(cache, tokens)),
                                    new PassOutputs(LogitRows.LAST, normed));
                    var every =
                            network.forward(
                                    List.of(RowBlock.continuing(all, tokens)),
                                    new PassOutputs(LogitRows.ALL, normed))) {
                assertThat(floats(last.logits(10))).containsExactly(floats(every.logits(10)));
                for (int row = 0; row < tokens.length; row++) {
                    var state = new HiddenState.AfterFinalNorm();
                    assertThat(floats(last.hidden(state, row)))
                            .containsExactly(floats(every.hidden(state, row)));
                }
                assertThatThrownBy(() -> last.logits(9))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("logits of row 9 were not asked for");
            }
        }
    }

    @Test
    void logitsAreCopiedWhenSomebodyReadsThemAndOutliveThePassesOfOthers() {
        var config = RandomDecoders.plain();
        var shape = shape(config, 8, 16);
        var weights = new WeightLoader(shape, weights(config, 3));
        var reads = new CountedReads();
        var tree = TokenTree.chain(1, 2, 3, 4);
        try (var network = new DeviceNetwork(shape, reads.of(compile(shape, weights)));
                var cache = network.newCache(20);
                var other = network.newCache(20)) {
            float[][] expected = logits(network, new int[] {7}, tree);
            prefill(network, cache, new int[] {7});
            reads.takeCount();
            try (var pass =
                    network.forward(
                            List.of(RowBlock.ofTree(cache, tree)), PassOutputs.allLogits())) {
                var early = pass.logits(2);
                assertThat(reads.takeCount()).isEqualTo(1);
                CompletableFuture.runAsync(() -> prefill(network, other, new int[] {9, 8, 5}))
                        .join();
                assertThat(floats(early)).containsExactly(expected[2]);
                for (int node = 0; node < tree.size(); node++) {
                    assertThat(floats(pass.logits(node))).containsExactly(expected[node]);
                }
            }
        }
    }

    @Test
    void lendsEmbeddingAndHeadToDrafters() {
        var config = RandomDecoders.plain();
        var normed = new HiddenState.AfterFinalNorm();
        var embedded = new HiddenState.AfterLayer(0);
        try (var network = network(config, 9, 4);
                var cache = network.newCache(4);
                var pass =
                        network.forward(
                                List.of(RowBlock.continuing(cache, 4, 5)),
                                new PassOutputs(LogitRows.ALL, Set.of(normed, embedded)))) {
            var weights = network.capability(SharedWeights.class).orElseThrow();
            long bytes = (long) config.hiddenSize() * Float.BYTES;
            assertThat(floats(weights.embedding().asSlice(5 * bytes, bytes)))
                    .containsExactly(floats(pass.hidden(embedded, 1)));
            var logits = new float[config.vocabularySize()];
            float[] head = floats(weights.head());
            float[] hidden = floats(pass.hidden(normed, 1));
            for (int token = 0; token < logits.length; token++) {
                for (int column = 0; column < hidden.length; column++) {
                    logits[token] += head[token * hidden.length + column] * hidden[column];
                }
            }
            assertClose(new float[][] {logits}, new float[][] {floats(pass.logits(1))}, "head");
        }
    }

    @Test
    void sequencesShareTheCacheAndAFullOneIsRefused() {
        try (var network = network(RandomDecoders.plain(), 1, 4)) {
            var first = network.newCache(100);
            var second = network.newCache(60);
            first.close();
            first.close();
            assertThatThrownBy(() -> network.newCache(101))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            OUT_OF_MEMORY: a sequence of 101 tokens was asked for, but the longest free run of the device's 200 cache rows has 100
                              Open shorter or fewer sequences, or close some; target.cacheRows gives a target more rows.\
                            """);
            network.newCache(100).close();
            second.close();
            network.newCache(200).close();
        }
    }

    @Test
    void aRowThatSeesMoreThanThePositionsIsRefused() {
        var config = RandomDecoders.plain();
        int longest = config.maxPositions();
        try (var network = network(config, 1, 4);
                var cache = network.newCache(longest + 1)) {
            prefill(network, cache, new int[longest]);
            var causal = new RowMask.Causal();
            var block = new RowBlock(cache, new int[1], new int[] {longest - 1}, causal);
            assertThatThrownBy(() -> network.forward(List.of(block), PassOutputs.allLogits()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "row 0 at position 119 sees 121 rows, and the program was compiled for at most 120");
        }
    }

    @Test
    void treesBeyondTheMasksAreRefused() {
        try (var network = network(RandomDecoders.plain(), 1, 4);
                var cache = network.newCache(100)) {
            var tree = TokenTree.builder(0);
            for (int node = 0; node < 64; node++) {
                tree.add(0, 1);
            }
            var block = RowBlock.ofTree(cache, tree.build());
            assertThatThrownBy(() -> network.forward(List.of(block), PassOutputs.allLogits()))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            """
                            CONTEXT_EXCEEDED: a tree of 65 nodes was to be scored; the device's masks have room for 64
                              Draft smaller trees.\
                            """);
            assertThat(cache.used()).isZero();
        }
    }

    private DeviceNetwork network(DecoderConfig config, long seed, int maxRows) {
        var shape = shape(config, maxRows, 16);
        var weights = new WeightLoader(shape, weights(config, seed));
        return new DeviceNetwork(shape, compile(shape, weights));
    }

    private ProgramShape shape(DecoderConfig config, int maxRows, int moves) {
        return new ProgramShape(config, maxRows, 1, CACHE_ROWS, moves, format(), keyChunk());
    }

    /// Returns weights that the format can hold exactly.
    private WeightSource weights(DecoderConfig config, long seed) {
        var random = new RandomWeights(config, seed, 1.0);
        return format() == WeightFormat.F32 ? random : new RoundedWeights(config, random, format());
    }

    private static void prefill(DecoderNetwork network, KvCache cache, int[] prompt) {
        network.forward(
                        List.of(RowBlock.continuing(cache, prompt)),
                        new PassOutputs(LogitRows.NONE, Set.of()))
                .close();
        cache.keep(IntStream.range(0, prompt.length).boxed().toList());
    }

    private static float[][] logits(DeviceNetwork network, int[] prompt, TokenTree tree) {
        try (var cache = network.newCache(100)) {
            prefill(network, cache, prompt);
            try (var result =
                    network.forward(
                            List.of(RowBlock.ofTree(cache, tree)), PassOutputs.allLogits())) {
                var rows = new float[tree.size()][];
                for (int node = 0; node < rows.length; node++) {
                    rows[node] = floats(result.logits(node));
                }
                return rows;
            }
        }
    }

    /// Returns logits and all hidden states of a tree's nodes.
    private static float[][] states(DecoderNetwork network, int[] prompt, TokenTree tree) {
        var states = new HashSet<HiddenState>();
        int layers =
                network instanceof DeviceNetwork device
                        ? device.config().layers()
                        : ((VectorNetwork) network).config().layers();
        for (int layer = 0; layer <= layers; layer++) {
            states.add(new HiddenState.AfterLayer(layer));
        }
        states.add(new HiddenState.AfterFinalNorm());
        try (var cache = network.newCache(60)) {
            prefill(network, cache, prompt);
            try (var result =
                    network.forward(
                            List.of(RowBlock.ofTree(cache, tree)),
                            new PassOutputs(LogitRows.ALL, states))) {
                var rows = new float[tree.size() * (layers + 3)][];
                int index = 0;
                for (int node = 0; node < tree.size(); node++) {
                    rows[index++] = floats(result.logits(node));
                    rows[index++] = floats(result.hidden(new HiddenState.AfterFinalNorm(), node));
                    for (int layer = 0; layer <= layers; layer++) {
                        rows[index++] =
                                floats(result.hidden(new HiddenState.AfterLayer(layer), node));
                    }
                }
                return rows;
            }
        }
    }

    private static float[] tokenByToken(DeviceNetwork network, int[] tokens) {
        try (var cache = network.newCache(100)) {
            float[] last = {};
            for (int token : tokens) {
                try (var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, token)),
                                PassOutputs.allLogits())) {
                    last = floats(result.logits(0));
                }
                cache.keep(List.of(0));
            }
            return last;
        }
    }

    private static void assertClose(float[][] actual, float[][] expected, String what) {
        assertThat(actual).hasSameDimensionsAs(expected);
        for (int row = 0; row < expected.length; row++) {
            double length = 0;
            double difference = 0;
            for (int index = 0; index < expected[row].length; index++) {
                length += Math.pow(expected[row][index], 2);
                difference += Math.pow(actual[row][index] - expected[row][index], 2);
            }
            assertThat(Math.sqrt(difference / length))
                    .describedAs("row %d, %s", row, what)
                    .isLessThanOrEqualTo(TOLERANCE);
        }
    }

    private static int[] join(int[] one, int[] other) {
        return IntStream.concat(Arrays.stream(one), Arrays.stream(other)).toArray();
    }

    private static float[] floats(MemorySegment memory) {
        return memory.toArray(ValueLayout.JAVA_FLOAT);
    }
}
