package dev.outrider.nn.network;

import static dev.outrider.nn.network.Cases.assertClose;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests the contract of every network, over random shapes, prompts and trees.
class NetworkContractTest {
    private static final int DECODERS = 8;
    private static final int MIXTURES = 5;
    private static final int ENCODER_DECODERS = 2;

    /// The networks under test and how closely they promise to agree with 32-bit arithmetic over the same weights:
    /// the length of the difference over the length of the row. Eight bits leave bfloat16, and rows in eight bits more so, a few percent
    /// after several layers. What a row's company may change of it is another promise: nothing, or rounding.
    enum Kind {
        VECTOR_F32(0, 0),
        VECTOR_BF16(1e-5, 0),
        VECTOR_CACHE_BF16(0.1, 0),
        VECTOR_CACHE_INT8(0.15, 0),
        VECTOR_F16(1e-4, 0),
        VECTOR_INT8(1e-5, 0),
        VECTOR_INT8_ROWS_INT8(0.15, 0),
        VECTOR_INT4(1e-5, 0),
        VECTOR_INT4_ROWS_INT8(0.15, 0),
        VECTOR_W8A8(0.15, 0);

        private final double tolerance;
        private final double company;

        Kind(double tolerance, double company) {
            this.tolerance = tolerance;
            this.company = company;
        }

        DecoderNetwork open(Model model) {
            return switch (this) {
                case VECTOR_F32 -> model.vector(Precision.F32);
                case VECTOR_BF16 -> model.vector(Precision.BF16);
                case VECTOR_CACHE_BF16 -> cachesIn(CachePrecision.BF16, model);
                case VECTOR_CACHE_INT8 -> cachesIn(CachePrecision.INT8, model);
                case VECTOR_F16 -> model.vector(Precision.F16);
                case VECTOR_INT8 -> model.vector(Precision.INT8, RowPrecision.F32);
                case VECTOR_INT8_ROWS_INT8 -> model.vector(Precision.INT8, RowPrecision.INT8);
                case VECTOR_INT4 -> model.vector(Precision.INT4, RowPrecision.F32);
                case VECTOR_INT4_ROWS_INT8 -> model.vector(Precision.INT4, RowPrecision.INT8);
                case VECTOR_W8A8 -> model.vector(Precision.W8A8);
            };
        }

        private static DecoderNetwork cachesIn(CachePrecision caches, Model model) {
            var network = model.vector(Precision.F32);
            network.capability(VectorNetwork.class).orElseThrow().keepCachesIn(caches);
            return network;
        }

        /// Returns the model with its weights rounded to this format.
        Model kept(Model model) {
            return switch (this) {
                case VECTOR_INT8, VECTOR_INT8_ROWS_INT8 ->
                        model.with((config, weights) ->
                                new QuantisedWeights(config, weights, -127, 127));
                case VECTOR_INT4, VECTOR_INT4_ROWS_INT8 ->
                        model.with(
                                (config, weights) -> new QuantisedWeights(config, weights, -8, 7));
                default -> model;
            };
        }
    }

    private interface Check {
        void run(DecoderNetwork network, Model model, Cases cases);
    }

    private static void overRandomModels(Kind kind, Check check) {
        for (var family : Cases.Family.values()) {
            int shapes =
                    switch (family) {
                        case LLAMA -> DECODERS;
                        case EXPERTS -> MIXTURES;
                        case T5, T5_GATED, BART, MARIAN -> ENCODER_DECODERS;
                    };
            for (int seed = 0; seed < shapes; seed++) {
                var cases = new Cases(seed);
                var model = cases.model(family, seed);
                try (var network = kind.open(model)) {
                    check.run(network, model, cases);
                } catch (AssertionError e) {
                    throw new AssertionError(
                            "%s, seed %d, %s, %s".formatted(family, seed, kind, model), e);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithTheSameWeightsIn32Bits(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var states = new ArrayList<HiddenState>();
                    states.add(new HiddenState.AfterFinalNorm());
                    for (int layer = 0; layer <= model.decoder().config().layers(); layer++) {
                        states.add(new HiddenState.AfterLayer(layer));
                    }
                    var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.copyOf(states));
                    var source = cases.source();
                    var prompt = cases.tokens(1 + cases.below(12));
                    var tree = cases.tree(1 + cases.below(10));
                    try (var reference = kind.kept(model).vector(Precision.F32);
                            var expectedCache = Cases.cache(reference, 40, source);
                            var actualCache = Cases.cache(network, 40, source)) {
                        Cases.prefill(reference, expectedCache, prompt);
                        Cases.prefill(network, actualCache, prompt);
                        try (var expected =
                                        reference.forward(
                                                List.of(RowBlock.ofTree(expectedCache, tree)),
                                                outputs);
                                var actual =
                                        network.forward(
                                                List.of(RowBlock.ofTree(actualCache, tree)),
                                                outputs)) {
                            for (int row = 0; row < tree.size(); row++) {
                                assertClose(
                                        Cases.floats(actual.logits(row)),
                                        Cases.floats(expected.logits(row)),
                                        kind.tolerance);
                                for (var state : states) {
                                    assertClose(
                                            Cases.floats(actual.hidden(state, row)),
                                            Cases.floats(expected.hidden(state, row)),
                                            kind.tolerance);
                                }
                            }
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void treeRowEqualsPlainForwardOverItsPath(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var source = cases.source();
                    var prompt = cases.tokens(1 + cases.below(12));
                    var tree = cases.tree(9);
                    try (var cache = Cases.cache(network, 40, source)) {
                        Cases.prefill(network, cache, prompt);
                        try (var scored =
                                network.forward(
                                        List.of(RowBlock.ofTree(cache, tree)),
                                        PassOutputs.allLogits())) {
                            for (int node = 0; node < tree.size(); node++) {
                                assertClose(
                                        Cases.floats(scored.logits(node)),
                                        last(network, source, prompt, Cases.pathTokens(tree, node)),
                                        kind.company);
                            }
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void committedPathContinuesLikeAFreshPrefill(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var source = cases.source();
                    var prompt = cases.tokens(1 + cases.below(8));
                    var tree = cases.tree(9);
                    var path = tree.path(tree.size() - 1);
                    try (var cache = Cases.cache(network, 40, source)) {
                        Cases.prefill(network, cache, prompt);
                        network.forward(
                                        List.of(RowBlock.ofTree(cache, tree)),
                                        new PassOutputs(PassOutputs.LogitRows.NONE, Set.of()))
                                .close();
                        cache.keep(IntStream.of(path).boxed().toList());
                        assertThat(cache.length()).isEqualTo(prompt.length + path.length);
                        assertThat(cache.used()).isEqualTo(cache.length());

                        var next = cases.tokens(3);
                        try (var continued =
                                network.forward(
                                        List.of(RowBlock.continuing(cache, next)),
                                        new PassOutputs(PassOutputs.LogitRows.LAST, Set.of()))) {
                            var fresh =
                                    IntStream.concat(
                                                    IntStream.of(
                                                            Cases.pathTokens(
                                                                    tree, tree.size() - 1)),
                                                    IntStream.of(next))
                                            .toArray();
                            assertClose(
                                    Cases.floats(continued.logits(2)),
                                    last(network, source, prompt, fresh),
                                    kind.company);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void raggedBatchEqualsEachSequenceAlone(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var prompts = Stream.of(1, 7, 12).map(cases::tokens).toList();
                    var trees = List.of(cases.tree(1), cases.tree(6), cases.tree(3));
                    var caches =
                            prompts.stream()
                                    .map(prompt -> Cases.cache(network, 40, cases.source()))
                                    .toList();
                    var alone = new ArrayList<float[]>();
                    for (int index = 0; index < 3; index++) {
                        var cache = caches.get(index);
                        Cases.prefill(network, cache, prompts.get(index));
                        try (var result =
                                network.forward(
                                        List.of(RowBlock.ofTree(cache, trees.get(index))),
                                        PassOutputs.allLogits())) {
                            alone.addAll(List.of(Cases.logits(result)));
                        }
                        cache.dropScratch();
                    }
                    var blocks =
                            IntStream.range(0, 3)
                                    .mapToObj(index ->
                                            RowBlock.ofTree(caches.get(index), trees.get(index)))
                                    .toList();
                    try (var together = network.forward(blocks, PassOutputs.allLogits())) {
                        for (int row = 0; row < together.rows(); row++) {
                            assertClose(
                                    Cases.floats(together.logits(row)),
                                    alone.get(row),
                                    kind.company);
                        }
                    }
                    caches.forEach(KvCache::close);
                });
    }

    @ParameterizedTest
    @EnumSource
    void truncatedCacheContinuesLikeAFreshPrefill(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var source = cases.source();
                    var prompt = cases.tokens(2 + cases.below(10));
                    int kept = 1 + cases.below(prompt.length - 1);
                    var next = cases.tokens(3);
                    try (var cache = Cases.cache(network, 40, source)) {
                        Cases.prefill(network, cache, prompt);
                        cache.truncate(kept);
                        try (var continued =
                                network.forward(
                                        List.of(RowBlock.continuing(cache, next)),
                                        PassOutputs.allLogits())) {
                            assertClose(
                                    Cases.floats(continued.logits(2)),
                                    last(network, source, Arrays.copyOf(prompt, kept), next),
                                    kind.company);
                        }
                    }
                });
    }

    @ParameterizedTest
    @EnumSource
    void scratchRowsOfEarlierPassesStayVisible(Kind kind) {
        overRandomModels(
                kind,
                (network, model, cases) -> {
                    var source = cases.source();
                    var prompt = cases.tokens(4);
                    var guessed = cases.tokens(5);
                    try (var cache = Cases.cache(network, 40, source)) {
                        Cases.prefill(network, cache, prompt);
                        for (int step = 0; step < guessed.length; step++) {
                            try (var result =
                                    network.forward(
                                            List.of(RowBlock.continuing(cache, guessed[step])),
                                            PassOutputs.allLogits())) {
                                assertClose(
                                        Cases.floats(result.logits(0)),
                                        last(
                                                network,
                                                source,
                                                prompt,
                                                IntStream.of(guessed).limit(step + 1).toArray()),
                                        kind.company);
                            }
                        }
                        assertThat(cache.length()).isEqualTo(4);
                        assertThat(cache.used()).isEqualTo(9);
                    }
                });
    }

    /// Logits of the last token of a fresh sequence.
    private static float[] last(DecoderNetwork network, int[] source, int[] prompt, int[] rest) {
        var all = IntStream.concat(IntStream.of(prompt), IntStream.of(rest)).toArray();
        try (var cache = Cases.cache(network, all.length, source);
                var result =
                        network.forward(
                                List.of(RowBlock.continuing(cache, all)),
                                new PassOutputs(PassOutputs.LogitRows.LAST, Set.of()))) {
            return Cases.floats(result.logits(all.length - 1));
        }
    }
}
