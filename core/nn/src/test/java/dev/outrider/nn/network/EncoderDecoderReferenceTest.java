package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// T5, BART and Marian compute the same as an implementation in another language that was written only from their papers.
class EncoderDecoderReferenceTest {
    private static final float TOLERANCE = 1e-4f;
    private static final PassOutputs ALL = PassOutputs.allLogits();

    static final List<String> FAMILIES = EncoderDecoderFiles.ALL;

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void logitsAreThoseOfTheReference(String family) {
        var files = EncoderDecoderFiles.of(family);
        try (var network = files.vector(Precision.F32)) {
            for (var expected : files.cases()) {
                try (var cache = network.newCache(64, expected.source());
                        var result =
                                network.forward(
                                        List.of(RowBlock.continuing(cache, files.prompt())), ALL)) {
                    for (int row = 0; row < files.prompt().length; row++) {
                        assertThat(Cases.floats(result.logits(row)))
                                .as("row %d", row)
                                .containsExactly(expected.logits()[row], within(TOLERANCE));
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void theSourceDecidesWhatFollows(String family) {
        var cases = EncoderDecoderFiles.of(family).cases();
        float[] one = cases.getFirst().logits()[3];
        float[] other = cases.getLast().logits()[3];
        assertThat(Arrays.mismatch(one, other)).isNotNegative();
        assertThat(Math.abs(one[0] - other[0])).isGreaterThan(10 * TOLERANCE);
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void rowsAreTheSameBitsAloneInATreeAndBesideAnotherSource(String family) {
        var files = EncoderDecoderFiles.of(family);
        try (var network = files.vector(Precision.F32)) {
            var alone = new ArrayList<float[]>();
            for (var one : files.cases()) {
                try (var cache = network.newCache(64, one.source())) {
                    for (int token : files.prompt()) {
                        var block = RowBlock.continuing(cache, token);
                        try (var result = network.forward(List.of(block), ALL)) {
                            alone.add(Cases.floats(result.logits(0)));
                        }
                        cache.keep(List.of(0));
                    }
                }
            }
            try (var first = network.newCache(64, files.cases().getFirst().source());
                    var last = network.newCache(64, files.cases().getLast().source())) {
                int[] prompt = files.prompt();
                for (var cache : List.of(first, last)) {
                    var begin = Arrays.copyOf(prompt, 2);
                    network.forward(List.of(RowBlock.continuing(cache, begin)), ALL).close();
                    cache.keep(List.of(0, 1));
                }
                // A wrong guess stands beside every right one.
                var builder = TokenTree.builder(prompt[2]);
                var right = new ArrayList<>(List.of(0));
                for (int index = 3; index < prompt.length; index++) {
                    builder.add(right.getLast(), 33);
                    right.add(builder.size());
                    builder.add(right.get(right.size() - 2), prompt[index]);
                }
                var tree = builder.build();
                try (var result =
                        network.forward(
                                List.of(RowBlock.ofTree(first, tree), RowBlock.ofTree(last, tree)),
                                ALL)) {
                    for (int at = 0; at < right.size(); at++) {
                        for (int sequence = 0; sequence < 2; sequence++) {
                            int row = sequence * tree.size() + right.get(at);
                            assertThat(Cases.floats(result.logits(row)))
                                    .isEqualTo(alone.get(sequence * prompt.length + 2 + at));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @FieldSource("FAMILIES")
    void fewerBitsStayNear(String family) {
        var files = EncoderDecoderFiles.of(family);
        for (var entry :
                Map.of(Precision.BF16, 0.1, Precision.INT8, 0.1, Precision.W8A8, 0.3).entrySet()) {
            var expected = files.cases().getFirst();
            try (var network = files.vector(entry.getKey());
                    var cache = network.newCache(64, expected.source());
                    var result =
                            network.forward(
                                    List.of(RowBlock.continuing(cache, files.prompt())), ALL)) {
                int last = files.prompt().length - 1;
                Cases.assertClose(
                        Cases.floats(result.logits(last)),
                        expected.logits()[last],
                        entry.getValue());
            }
        }
    }
}
