package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A cache that begins with copied rows is as good as one whose network has read them, in decoders with and without windows, experts, scaled
/// positions and sinks, in every number format, the caches
/// in each of theirs.
class CopiedRowsTest {
    private static final int MODELS = 12;

    @ParameterizedTest
    @EnumSource
    void passesAfterCopiedRowsHaveTheBitsOfPassesAfterReadRows(Precision precision) {
        for (var family : List.of(Cases.Family.LLAMA, Cases.Family.EXPERTS)) {
            for (int seed = 0; seed < MODELS; seed++) {
                var cases = new Cases(seed);
                try (var network = (VectorNetwork) cases.model(family, seed).vector(precision)) {
                    var caches = CachePrecision.values();
                    network.keepCachesIn(caches[seed % caches.length]);
                    check(network, cases);
                } catch (AssertionError e) {
                    throw new AssertionError("%s, seed %d".formatted(family, seed), e);
                }
            }
        }
    }

    private static void check(VectorNetwork network, Cases cases) {
        var prompt = cases.tokens(2 + cases.below(28));
        int copied = 1 + cases.below(prompt.length);
        var rest = cases.tokens(cases.below(9));
        var tree = cases.tree(1 + cases.below(9));
        var text = Arrays.copyOf(prompt, copied + rest.length);
        System.arraycopy(rest, 0, text, copied, rest.length);
        try (var read = network.newCache(50);
                var kept = network.newCache(prompt.length);
                var copy = network.newCache(40 + cases.below(20))) {
            Cases.prefill(network, read, text);
            Cases.prefill(network, kept, prompt);
            network.copy(kept, copied, copy);
            kept.truncate(0); // What others do with their rows is nothing to the copy.
            Cases.prefill(network, kept, cases.tokens(prompt.length));
            if (rest.length > 0) {
                Cases.prefill(network, copy, rest);
            }
            assertThat(copy.length()).isEqualTo(text.length);
            assertThat(numbers(network, copy, tree)).isDeepEqualTo(numbers(network, read, tree));
        }
    }

    private static float[][] numbers(VectorNetwork network, KvCache cache, TokenTree tree) {
        var last = new HiddenState.AfterFinalNorm();
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(last));
        var numbers = new ArrayList<float[]>();
        try (var result = network.forward(List.of(RowBlock.ofTree(cache, tree)), outputs)) {
            for (int row = 0; row < tree.size(); row++) {
                numbers.add(Cases.floats(result.logits(row)));
                numbers.add(Cases.floats(result.hidden(last, row)));
            }
        }
        return numbers.toArray(float[][]::new);
    }

    @Test
    void rowsAreCopiedIntoAnEmptyCacheOnly() {
        var cases = new Cases(1);
        try (var network =
                        (VectorNetwork) cases.model(Cases.Family.LLAMA, 1).vector(Precision.F32);
                var from = network.newCache(9);
                var to = network.newCache(9);
                var small = network.newCache(2)) {
            Cases.prefill(network, from, cases.tokens(4));
            assertRefused(() -> network.copy(from, 5, to));
            assertRefused(() -> network.copy(from, 3, small));
            network.copy(from, 3, to);
            assertRefused(() -> network.copy(from, 1, to));
            network.keepCachesIn(CachePrecision.INT8);
            try (var rounded = network.newCache(9)) {
                assertRefused(() -> network.copy(from, 3, rounded));
            }
        }
    }

    private static void assertRefused(Runnable copying) {
        assertThatThrownBy(copying::run).isInstanceOf(IllegalArgumentException.class);
    }
}
