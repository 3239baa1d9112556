package dev.outrider.nn.network;

import static dev.outrider.nn.network.Cases.assertClose;
import static dev.outrider.nn.network.Cases.floats;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.network.Cases.Family;
import dev.outrider.nn.network.ScriptText.Shared;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.PrepackedLinear;
import dev.outrider.nn.runtime.Tensor;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/// What a source does to a sequence, and what encoder-decoders lend and refuse, in both implementations.
class EncoderDecoderTest {
    private static final LinearKind PLAIN = new LinearKind(ElementType.F32, false, false);
    private static final HiddenState LAST = new HiddenState.AfterFinalNorm();

    static final List<Family> FAMILIES =
            List.of(Family.T5, Family.T5_GATED, Family.BART, Family.MARIAN);

    /// The implementations.
    enum Kind {
        PLAIN,
        PREPACKED,
        VECTOR;

        EncoderDecoderNetwork open(Model model) {
            boolean prepacked = this == PREPACKED && PrepackedLinear.works(ElementType.F32);
            return (EncoderDecoderNetwork)
                    (this == VECTOR
                            ? model.vector(Precision.F32)
                            : model.scripted(
                                    new LinearKind(ElementType.F32, prepacked, prepacked)));
        }
    }

    private static Model model(Family family, long seed) {
        return new Cases(seed).model(family, seed);
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void implementationsAgreeOnSequencesOfSeveralSourcesInOnePass(Family family) {
        for (int seed = 100; seed < 104; seed++) {
            var model = model(family, seed);
            var expected = rounds(Kind.VECTOR, model, new Cases(seed));
            for (var kind : List.of(Kind.PLAIN, Kind.PREPACKED)) {
                var actual = rounds(kind, model, new Cases(seed));
                assertThat(actual).hasSameSizeAs(expected);
                for (int row = 0; row < expected.size(); row++) {
                    assertClose(actual.get(row), expected.get(row), 1e-4);
                }
            }
        }
    }

    /// Logits of a ragged prefill, of chains and trees, and of what follows their kept paths.
    private static List<float[]> rounds(Kind kind, Model model, Cases cases) {
        var rows = new ArrayList<float[]>();
        try (var network = kind.open(model)) {
            var caches =
                    IntStream.of(1, 9, 33)
                            .mapToObj(length -> network.newCache(40, cases.tokens(length)))
                            .toList();
            for (int round = 0; round < 3; round++) {
                var trees = new ArrayList<TokenTree>();
                for (int sequence = 0; sequence < caches.size(); sequence++) {
                    int nodes = 1 + cases.below(6);
                    trees.add(
                            round == 0
                                    ? TokenTree.chain(2, cases.tokens(nodes))
                                    : cases.tree(nodes));
                }
                var blocks =
                        IntStream.range(0, caches.size())
                                .mapToObj(index ->
                                        RowBlock.ofTree(caches.get(index), trees.get(index)))
                                .toList();
                try (var result = network.forward(blocks, PassOutputs.allLogits())) {
                    rows.addAll(List.of(Cases.logits(result)));
                }
                for (int index = 0; index < caches.size(); index++) {
                    var tree = trees.get(index);
                    caches.get(index)
                            .keep(IntStream.of(tree.path(tree.size() - 1)).boxed().toList());
                }
            }
            caches.forEach(KvCache::close);
        }
        return rows;
    }

    @ParameterizedTest
    @EnumSource
    void anotherSourceIsAnotherSequence(Kind kind) {
        for (var family : FAMILIES) {
            try (var network = kind.open(model(family, 7))) {
                var one = logits(network, 3, 4, 5);
                assertThat(difference(logits(network, 3, 4, 5), one)).isZero();
                assertThat(difference(logits(network, 3, 4, 6), one)).isGreaterThan(1e-3);
                assertThat(difference(logits(network, 3, 5, 4), one)).isGreaterThan(1e-3);
                assertThat(difference(logits(network, 3, 4), one)).isGreaterThan(1e-3);
            }
        }
    }

    private static float[] logits(EncoderDecoderNetwork network, int... source) {
        try (var cache = network.newCache(8, source)) {
            return logits(network, cache);
        }
    }

    private static float[] logits(DecoderNetwork network, KvCache cache) {
        try (var result =
                network.forward(
                        List.of(RowBlock.continuing(cache, 1, 2)), PassOutputs.allLogits())) {
            return floats(result.logits(1));
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void everyTokenOfTheSourceSeesAllOthers(Family family) {
        int[] source = {3, 4, 5, 6, 7};
        var model = model(family, 11);
        var stack = model.encoder().orElseThrow();
        try (var whole = Kind.PLAIN.open(model);
                var decoder =
                        new ScriptedNetwork(
                                model.decoder().config(), model.decoder().weights(), PLAIN);
                var encoder =
                        new ScriptedPasses(
                                stack.config(),
                                stack.weights(),
                                PLAIN,
                                Optional.of(new BorrowedWeights(decoder)))) {
            var expected = logits(whole, source);
            try (var cache = encoder.newCache(source.length)) {
                var mutual = logits(decoder, encoder, RowBlock.mutual(cache, source));
                assertThat(difference(mutual, expected)).isZero();
            }
            try (var cache = encoder.newCache(source.length)) {
                var causal = logits(decoder, encoder, RowBlock.continuing(cache, source));
                assertThat(difference(causal, expected)).isGreaterThan(1e-3);
            }
        }
    }

    private static float[] logits(
            ScriptedNetwork decoder, ScriptedPasses encoder, RowBlock source) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(LAST));
        var plan = PassPlan.of(List.of(source), outputs, encoder.config());
        try (var read = encoder.forward(plan, outputs, List.of());
                var cache = decoder.newCache(8, read.hidden(LAST))) {
            return logits(decoder, cache);
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void theEncoderReadsTheDecodersEmbeddingInPlace(Family family) {
        var model = model(family, 13);
        var stack = model.encoder().orElseThrow();
        try (var decoder =
                        new ScriptedNetwork(
                                model.decoder().config(), model.decoder().weights(), PLAIN);
                var encoder =
                        new ScriptedPasses(
                                stack.config(),
                                stack.weights(),
                                PLAIN,
                                Optional.of(new BorrowedWeights(decoder)));
                var manager = TensorRuntime.newManager()) {
            assertThat(encoder.shared(Shared.EMBEDDING, manager).memory().address())
                    .isEqualTo(decoder.shared(Shared.EMBEDDING, manager).memory().address());
        }
    }

    @ParameterizedTest
    @EnumSource
    void draftersBorrowAHeadThatMakesLogitsOfStates(Kind kind) {
        for (var family : List.of(Family.T5, Family.T5_GATED)) {
            var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(LAST));
            try (var network = kind.open(model(family, 17));
                    var cache = network.newCache(8, new int[] {5, 6, 7});
                    var result = network.forward(List.of(RowBlock.continuing(cache, 9)), outputs);
                    var manager = TensorRuntime.newManager()) {
                var lent = network.capability(SharedWeights.class).orElseThrow();
                var states = Tensor.ofFloats(manager, result.hidden(LAST, 0), 1, lent.hiddenSize());
                assertClose(
                        floats(lent.head(states, manager).memory()),
                        floats(result.logits(0)),
                        1e-5);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHeadWithABiasIsNotLent(Kind kind) {
        for (var family : List.of(Family.BART, Family.MARIAN)) {
            try (var network = kind.open(model(family, 17))) {
                assertThat(network.capability(SharedWeights.class)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void badSourcesAreRefused(Kind kind) {
        try (var network = kind.open(model(Family.BART, 19))) {
            assertThatThrownBy(() -> network.newCache(8)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> network.newCache(8, new int[0]))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> network.newCache(8, new int[] {99}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("99");
            assertThatThrownBy(() -> network.newCache(8, new int[65]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static double difference(float[] one, float[] other) {
        double most = 0;
        for (int index = 0; index < one.length; index++) {
            most = Math.max(most, Math.abs(one[index] - other[index]));
        }
        return most;
    }
}
