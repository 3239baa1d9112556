package dev.outrider.nn.network;

import static dev.outrider.nn.network.Cases.assertClose;
import static dev.outrider.nn.network.Cases.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Draft layers over random switches, and against formulas spelled out for a single row, where attention is the row's own value.
class FeatureNetworkTest {
    private static final int SHAPES = 24;
    private static final int POSITIONS = 40;

    @ParameterizedTest
    @CsvSource({"BF16,1e-5", "F16,1e-4"})
    void fewerBitsOfTheSameWeightsAgree(Precision precision, double tolerance) {
        for (int seed = 0; seed < SHAPES; seed++) {
            var cases = new Cases(1000 + seed);
            var target = cases.config();
            var config = target.fused(cases.fusion(target.hiddenSize()));
            var weights = new RoundedWeights(new RandomWeights(config, seed, 1.0));
            var targetWeights = new RoundedWeights(new RandomWeights(target, seed + 1, 1.0));
            try (var lender = new VectorNetwork(target, targetWeights, precision);
                    var slowLender = new VectorNetwork(target, targetWeights, Precision.F32);
                    var fast =
                            new VectorFeatureNetwork(
                                    config, weights, precision, Optional.of(lender));
                    var slow =
                            new VectorFeatureNetwork(
                                    config, weights, Precision.F32, Optional.of(slowLender))) {
                compare(fast, slow, cases, tolerance);
            } catch (AssertionError e) {
                throw new AssertionError("seed %d, %s".formatted(seed, config), e);
            }
        }
    }

    /// True rows, then a tree of recycled rows, as a draft has them.
    private static void compare(
            FeatureNetwork fast, FeatureNetwork slow, Cases cases, double tolerance) {
        var config = fast.config();
        int captured = config.fusion().orElseThrow().capturedWidth();
        int[] prompt = cases.tokens(1 + cases.below(9));
        var given = cases.features(prompt.length, captured, FeatureRows.Source.TARGET);
        TokenTree tree = cases.tree(7);
        var recycled =
                cases.features(tree.size(), config.hiddenSize(), FeatureRows.Source.RECYCLED);
        Set<HiddenState> states =
                Set.of(
                        new HiddenState.AfterLayer(0),
                        new HiddenState.AfterLayer(config.layers()),
                        new HiddenState.AfterFinalNorm());
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, states);
        try (var fastCache = fast.newCache(POSITIONS);
                var slowCache = slow.newCache(POSITIONS)) {
            for (var features : List.of(given, recycled)) {
                boolean first = features.source() == FeatureRows.Source.TARGET;
                try (var actual =
                                fast.forward(
                                        block(fastCache, first, prompt, tree), features, outputs);
                        var expected =
                                slow.forward(
                                        block(slowCache, first, prompt, tree), features, outputs)) {
                    for (int row = 0; row < actual.rows(); row++) {
                        assertClose(
                                floats(actual.logits(row)),
                                floats(expected.logits(row)),
                                tolerance);
                        for (var state : states) {
                            assertClose(
                                    floats(actual.hidden(state, row)),
                                    floats(expected.hidden(state, row)),
                                    tolerance);
                        }
                    }
                }
                keepAll(fastCache);
                keepAll(slowCache);
            }
        }
    }

    private static RowBlock block(KvCache cache, boolean first, int[] prompt, TokenTree tree) {
        return first ? RowBlock.continuing(cache, prompt) : RowBlock.ofTree(cache, tree);
    }

    private static void keepAll(KvCache cache) {
        cache.keep(IntStream.range(0, cache.used() - cache.length()).boxed().toList());
    }

    @Test
    void borrowsFromATargetOfAnotherPrecision() {
        var cases = new Cases(5);
        var target = plain(8, 1);
        var config = target.fused(eagle1(8, false));
        var weights = new RandomWeights(config, 3, 1.0);
        var targetWeights = new RoundedWeights(new RandomWeights(target, 4, 1.0));
        try (var lender = new VectorNetwork(target, targetWeights, Precision.BF16);
                var slowLender = new VectorNetwork(target, targetWeights, Precision.F32);
                var fast =
                        new VectorFeatureNetwork(
                                config, weights, Precision.F32, Optional.of(lender));
                var slow =
                        new VectorFeatureNetwork(
                                config, weights, Precision.F32, Optional.of(slowLender))) {
            compare(fast, slow, cases, 1e-2);
        }
    }

    /// Where kernels read a lender's head, it does not close meanwhile, and it can be closed later.
    @Test
    void aLenderThatDidNotCloseCanBeClosedAgain() throws InterruptedException {
        int hidden = 256;
        int rows = 64;
        int refused = 0;
        // The head takes most of a pass.
        var target = plain(hidden, 1).toBuilder().vocabularySize(8192).build();
        var config = target.fused(eagle1(hidden, false));
        var features = new Cases(1).features(rows, hidden, FeatureRows.Source.TARGET);
        for (int round = 0; round < 50 && refused == 0; round++) {
            var lender =
                    new VectorNetwork(target, new RandomWeights(target, 4, 1.0), Precision.F32);
            try (var draft =
                    new VectorFeatureNetwork(
                            config,
                            new RandomWeights(config, 3, 1.0),
                            Precision.F32,
                            Optional.of(lender))) {
                var ended = new CompletableFuture<RuntimeException>();
                var started = new CountDownLatch(1);
                var thread =
                        new Thread(() -> {
                            try (var cache = draft.newCache(rows)) {
                                while (!Thread.interrupted()) {
                                    var block = RowBlock.continuing(cache, new int[rows]);
                                    draft.forward(block, features, PassOutputs.allLogits()).close();
                                    cache.keep(List.of());
                                    started.countDown();
                                }
                            } catch (RuntimeException e) {
                                ended.complete(e);
                            }
                        });
                thread.start();
                started.await();
                Thread.sleep(1); // to no fixed place of a product
                boolean open = true;
                while (open) {
                    try {
                        lender.close();
                        open = false;
                    } catch (IllegalStateException e) {
                        refused++; // a kernel reads it
                    }
                }
                thread.join(1000);
                thread.interrupt();
                thread.join();

                assertThat(ended).as("the head is closed").isCompleted();
            }
        }
        assertThat(refused > 0).isEqualTo(VectorMachine.kernels());
    }

    @Test
    void matricesOfIntegersMultiplyRowsAsTheTargetsDo() {
        float[] exact = inFourBits(Optional.of(RowPrecision.F32));
        float[] rounded = inFourBits(Optional.of(RowPrecision.INT8));
        assertThat(rounded).isNotEqualTo(exact);
        assertThat(inFourBits(Optional.empty())).isEqualTo(rounded);
    }

    /// States of a layer in four bits.
    ///
    /// @param rows of a lender in 32 bits
    private static float[] inFourBits(Optional<RowPrecision> rows) {
        var target = plain(8, 1);
        var config = target.fused(eagle1(8, true));
        var weights = new RandomWeights(target, 4, 1.0);
        var lender = rows.map(each -> new VectorNetwork(target, weights, Precision.F32, each));
        try {
            var layer = new RandomWeights(config, 3, 1.0);
            var features = new Cases(1).features(1, 8, FeatureRows.Source.TARGET);
            var state = new HiddenState.AfterFinalNorm();
            var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(state));
            try (var network = new VectorFeatureNetwork(config, layer, Precision.INT4, lender);
                    var cache = network.newCache(4);
                    var result =
                            network.forward(RowBlock.continuing(cache, 5), features, outputs)) {
                return floats(result.hidden(state, 0));
            }
        } finally {
            lender.ifPresent(VectorNetwork::close);
        }
    }

    @Test
    void anEagle1RowIsItsPublishedFormula() {
        var target = plain(8, 1);
        var config = target.fused(eagle1(8, true));
        var weights = new ReferenceWeights(config, 7);
        float[] e = weights.row(Weight.EMBEDDING, 0, 5);
        float[] f = new Cases(1).features(1, 8, FeatureRows.Source.TARGET).memory().toArray(FLOAT);
        // fc([e, f]) + bias, a decoder layer without input norm, no final norm.
        float[] x =
                add(weights.times(Weight.JOIN, 0, join(e, f)), weights.all(Weight.JOIN_BIAS, 0));
        float[] x2 = add(x, weights.attention(x));
        float[] expected = add(x2, weights.feedForward(x2));
        assertThat(run(config, weights, 5, f, new HiddenState.AfterFinalNorm()))
                .usingComparatorWithPrecision(1e-4f)
                .containsExactly(expected);
    }

    @Test
    void anEagle3RowIsItsPublishedFormula() {
        var target = plain(8, 1);
        for (boolean normedResidual : new boolean[] {false, true}) {
            var config = target.fused(eagle3(8, normedResidual));
            var weights = new ReferenceWeights(config, 7);
            float[] e = weights.row(Weight.EMBEDDING, 0, 5);
            float[] a =
                    new Cases(1).features(1, 24, FeatureRows.Source.TARGET).memory().toArray(FLOAT);
            // g = fc(a); attention reads [norm(e), norm(g)]; the residual is g or norm(g).
            float[] g = weights.times(Weight.REDUCTION, 0, a);
            float[] u =
                    join(
                            weights.normed(e, Weight.INPUT_NORM),
                            weights.normed(g, Weight.STREAM_NORM));
            float[] residual = normedResidual ? weights.normed(g, Weight.STREAM_NORM) : g;
            float[] x2 = add(residual, weights.attention(u));
            float[] s = add(x2, weights.feedForward(x2));
            assertThat(run(config, weights, 5, a, new HiddenState.AfterLayer(1)))
                    .usingComparatorWithPrecision(1e-4f)
                    .containsExactly(s);
            assertThat(run(config, weights, 5, a, new HiddenState.AfterFinalNorm()))
                    .usingComparatorWithPrecision(1e-4f)
                    .containsExactly(weights.normed(s, Weight.FINAL_NORM));
        }
    }

    @Test
    void aPredictionModuleRowIsItsPublishedFormulaInEitherOrder() {
        var target = plain(8, 1);
        for (var order :
                List.of(FusionConfig.Join.EMBEDDING_FIRST, FusionConfig.Join.FEATURE_FIRST)) {
            var config = target.fused(module(8, order));
            var weights = new ReferenceWeights(config, 7);
            float[] e = weights.normed(weights.row(Weight.EMBEDDING, 0, 5), Weight.EMBEDDING_NORM);
            float[] h =
                    new Cases(1).features(1, 8, FeatureRows.Source.TARGET).memory().toArray(FLOAT);
            float[] n = weights.normed(h, Weight.FEATURE_NORM);
            boolean embeddingFirst = order == FusionConfig.Join.EMBEDDING_FIRST;
            float[] x = weights.times(Weight.JOIN, 0, embeddingFirst ? join(e, n) : join(n, e));
            float[] x2 = add(x, weights.attention(weights.normed(x, Weight.INPUT_NORM)));
            float[] s = add(x2, weights.feedForward(x2));
            assertThat(run(config, weights, 5, h, new HiddenState.AfterFinalNorm()))
                    .usingComparatorWithPrecision(1e-4f)
                    .containsExactly(weights.normed(s, Weight.FINAL_NORM));
        }
    }

    @Test
    void refusesFeaturesOfTheWrongWidth() {
        var config = plain(8, 1).fused(eagle3(8, false));
        var features = new Cases(1).features(1, 8, FeatureRows.Source.TARGET);
        try (var network =
                        new VectorFeatureNetwork(
                                config,
                                new RandomWeights(config, 1, 1),
                                Precision.F32,
                                Optional.empty());
                var cache = network.newCache(4)) {
            var block = RowBlock.continuing(cache, 1);
            assertThatThrownBy(() -> network.forward(block, features, PassOutputs.allLogits()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "1 rows of 8 features for 1 tokens; expected rows of 24 from the"
                                    + " TARGET");
        }
    }

    @Test
    void refusesSwitchesThatContradictEachOther() {
        assertThatThrownBy(() -> plain(8, 1).fused(eagle1(6, true)))
                .hasMessage("features of 6 numbers for a layer of 8 need a reduction");
        assertThatThrownBy(() ->
                        plain(8, 1)
                                .fused(
                                        fusion(
                                                2,
                                                8,
                                                FusionConfig.Join.EMBEDDING_FIRST,
                                                false,
                                                false,
                                                false,
                                                true)))
                .hasMessage("2 captured states with norm NONE need a reduction");
        assertThatThrownBy(() ->
                        plain(8, 1)
                                .fused(
                                        fusion(
                                                1,
                                                8,
                                                FusionConfig.Join.WIDE_FIRST_LAYER,
                                                false,
                                                true,
                                                false,
                                                true)))
                .hasMessage(
                        "join WIDE_FIRST_LAYER has no projection: no bias, no norms before it, and"
                                + " the layer's own norms");
    }

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT;

    private static float[] run(
            DecoderConfig config,
            WeightSource weights,
            int token,
            float[] feature,
            HiddenState state) {
        var memory = Arena.ofAuto().allocateFrom(FLOAT, feature);
        var features = new FeatureRows(memory, 1, FeatureRows.Source.TARGET);
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(state));
        try (var network =
                        new VectorFeatureNetwork(config, weights, Precision.F32, Optional.empty());
                var cache = network.newCache(4);
                var result =
                        network.forward(RowBlock.continuing(cache, token), features, outputs)) {
            return floats(result.hidden(state, 0));
        }
    }

    private static DecoderConfig plain(int hidden, int layers) {
        return DecoderConfig.builder()
                .vocabularySize(31)
                .hiddenSize(hidden)
                .intermediateSize(12)
                .layers(layers)
                .heads(2)
                .keyValueHeads(1)
                .headSize(4)
                .maxPositions(64)
                .build();
    }

    private static FusionConfig eagle1(int targetHidden, boolean own) {
        return fusion(1, targetHidden, FusionConfig.Join.EMBEDDING_FIRST, true, false, false, own);
    }

    private static FusionConfig eagle3(int targetHidden, boolean normedResidual) {
        return fusion(
                3,
                targetHidden,
                FusionConfig.Join.WIDE_FIRST_LAYER,
                false,
                true,
                normedResidual,
                true);
    }

    private static FusionConfig module(int targetHidden, FusionConfig.Join join) {
        return FusionConfig.of(join, targetHidden, 31)
                .with(
                        FusionConfig.Switch.EMBEDDING_NORM,
                        FusionConfig.Switch.FEATURE_NORM,
                        FusionConfig.Switch.FIRST_INPUT_NORM,
                        FusionConfig.Switch.OUTPUT_NORM,
                        FusionConfig.Switch.OWN_EMBEDDING,
                        FusionConfig.Switch.OWN_HEAD);
    }

    private static FusionConfig fusion(
            int captured,
            int targetHidden,
            FusionConfig.Join join,
            boolean bias,
            boolean wideOrReduced,
            boolean normedResidual,
            boolean own) {
        return FusionConfig.of(join, targetHidden, 31)
                .capturing(captured, FusionConfig.CapturedNorm.NONE)
                .with(bias, FusionConfig.Switch.JOIN_BIAS)
                .with(wideOrReduced, FusionConfig.Switch.REDUCTION)
                .with(captured > 1 && wideOrReduced, FusionConfig.Switch.FIRST_INPUT_NORM)
                .with(normedResidual, FusionConfig.Switch.NORMED_RESIDUAL)
                .with(captured > 1, FusionConfig.Switch.OUTPUT_NORM)
                .with(own, FusionConfig.Switch.OWN_EMBEDDING)
                .with(own, FusionConfig.Switch.OWN_HEAD);
    }

    private static float[] add(float[] a, float[] b) {
        var sum = a.clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += b[i];
        }
        return sum;
    }

    private static float[] join(float[] a, float[] b) {
        var both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
