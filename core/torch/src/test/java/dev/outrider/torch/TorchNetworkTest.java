package dev.outrider.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.BlockForm;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LinearWeights;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.SharedWeights;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The network that training runs, with caches, against Java's vector code.
class TorchNetworkTest {
    private static final HiddenState NORMED = new HiddenState.AfterFinalNorm();
    private static final Set<HiddenState> STATES =
            Set.of(
                    NORMED,
                    new HiddenState.AfterLayer(0),
                    new HiddenState.AfterLayer(1),
                    new HiddenState.AfterLayer(2));
    private static final PassOutputs OUTPUTS = new PassOutputs(PassOutputs.LogitRows.ALL, STATES);

    private static DecoderConfig config(boolean tied, boolean experts) {
        return DecoderConfig.builder()
                .vocabularySize(50)
                .hiddenSize(32)
                .intermediateSize(48)
                .layers(2)
                .heads(4)
                .keyValueHeads(2)
                .headSize(8)
                .maxPositions(100)
                .tiedHead(tied)
                .form(experts ? BlockForm.mixture(new Experts(4, 2, 48)) : BlockForm.llama())
                .build();
    }

    @ParameterizedTest
    @CsvSource({
        "false, false, F32, 1e-4",
        "true, false, F32, 1e-4",
        "true, true, F32, 1e-4",
        "false, false, BF16, 0.2"
    })
    void batchesAndTreesAgreeWithVectorCode(
            boolean tied, boolean experts, Precision precision, float tolerance) {
        var config = config(tied, experts);
        var weights = new RandomWeights(config, 3, 1);
        try (var torch = new TorchNetwork(config, weights, precision);
                var vector = new VectorNetwork(config, weights, Precision.F32)) {
            var found = rounds(torch);
            var expected = rounds(vector);
            assertThat(found).hasSameSizeAs(expected);
            for (int row = 0; row < found.size(); row++) {
                assertThat(found.get(row))
                        .as("row %d", row)
                        .containsExactly(expected.get(row), within(tolerance));
            }
        }
    }

    /// Logits and states of a ragged prefill, of trees of both sequences, and of what follows their kept paths.
    private static List<float[]> rounds(DecoderNetwork network) {
        var rows = new ArrayList<float[]>();
        try (var first = network.newCache(40);
                var second = network.newCache(30)) {
            pass(
                    network,
                    rows,
                    RowBlock.continuing(first, 1, 2, 3, 4, 5),
                    RowBlock.continuing(second, 9));
            keep(first, 0, 1, 2, 3, 4);
            keep(second, 0);
            for (int round = 0; round < 2; round++) {
                var tree = TokenTree.builder(7 + round);
                int left = tree.add(0, 11);
                int right = tree.add(0, 12);
                tree.add(left, 13);
                int leaf = tree.add(right, 14);
                pass(
                        network,
                        rows,
                        RowBlock.ofTree(first, tree.build()),
                        RowBlock.ofTree(second, TokenTree.chain(20, 21, 22)));
                keep(first, 0, right, leaf);
                keep(second, 0, 1);
            }
            second.truncate(2);
            pass(network, rows, RowBlock.continuing(second, 30, 31));
        }
        return rows;
    }

    private static void pass(DecoderNetwork network, List<float[]> rows, RowBlock... blocks) {
        try (var result = network.forward(List.of(blocks), OUTPUTS)) {
            for (int row = 0; row < result.rows(); row++) {
                rows.add(result.logits(row).toArray(ValueLayout.JAVA_FLOAT));
                for (var state : STATES) {
                    rows.add(result.hidden(state, row).toArray(ValueLayout.JAVA_FLOAT));
                }
            }
        }
    }

    private static void keep(KvCache cache, int... rows) {
        cache.keep(IntStream.of(rows).boxed().toList());
    }

    @Test
    void sharesEmbeddingAndHeadInFloats() {
        for (var precision : List.of(Precision.F32, Precision.BF16)) {
            var config = config(false, false);
            try (var network =
                            new TorchNetwork(config, new RandomWeights(config, 3, 1), precision);
                    var cache = network.newCache(4);
                    var result =
                            network.forward(List.of(RowBlock.continuing(cache, 11)), OUTPUTS)) {
                var shared = network.capability(SharedWeights.class).orElseThrow();
                long bytes = 32L * Float.BYTES;
                assertThat(
                                shared.embedding()
                                        .asSlice(11 * bytes, bytes)
                                        .toArray(ValueLayout.JAVA_FLOAT))
                        .containsExactly(floats(result, new HiddenState.AfterLayer(0)));
                var logits = new float[50];
                try (var head =
                        VectorLinear.of(
                                new LinearWeights(
                                        "head",
                                        shared.head().toArray(ValueLayout.JAVA_FLOAT),
                                        50,
                                        32,
                                        Optional.empty()),
                                Precision.F32)) {
                    head.apply(floats(result, NORMED), 1, logits);
                }
                assertThat(logits)
                        .containsExactly(
                                result.logits(0).toArray(ValueLayout.JAVA_FLOAT),
                                within(precision == Precision.F32 ? 1e-4f : 0.1f));
            }
        }
    }

    private static float[] floats(PassResult result, HiddenState state) {
        return result.hidden(state, 0).toArray(ValueLayout.JAVA_FLOAT);
    }

    @Test
    void resultsSayWhatWasNotAskedForAndEndWithClose() {
        var config = config(false, false);
        try (var network =
                        new TorchNetwork(config, new RandomWeights(config, 3, 1), Precision.F32);
                var cache = network.newCache(4)) {
            var outputs = new PassOutputs(PassOutputs.LogitRows.LAST, Set.of());
            var result = network.forward(List.of(RowBlock.continuing(cache, 1, 2)), outputs);
            assertThatThrownBy(() -> result.logits(0))
                    .hasMessage("logits of row 0 were not asked for");
            assertThatThrownBy(() -> result.hidden(NORMED, 0))
                    .hasMessageContaining("was not asked for");
            var logits = result.logits(1);
            result.close();
            assertThatThrownBy(() -> logits.toArray(ValueLayout.JAVA_FLOAT))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void refusesOtherArchitecturesAndFormats() {
        var biased = config(false, false).toBuilder().queryKeyValueBias(true).build();
        assertThat(TorchDecoder.computes(biased)).isFalse();
        assertThatThrownBy(() ->
                        new TorchNetwork(biased, new RandomWeights(biased, 1, 1), Precision.F32))
                .isInstanceOf(IllegalArgumentException.class);
        var plain = config(false, false);
        assertThatThrownBy(() ->
                        new TorchNetwork(plain, new RandomWeights(plain, 1, 1), Precision.INT8))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
