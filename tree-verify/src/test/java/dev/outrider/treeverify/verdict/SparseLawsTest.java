package dev.outrider.treeverify.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftLaws;
import dev.outrider.spi.SamplingPolicy;
import dev.outrider.spi.Selection;
import dev.outrider.spi.Support;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.VerdictQuestion;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SparseLawsTest {
    private static final double[] FIRST = {0, .25, 0, .75};
    private static final double[] SECOND = {.5, 0, .5, 0};

    @Test
    void holdsWhatIsPositive() {
        var laws =
                SparseLaws.of(DraftLaws.builder().put(0, FIRST).put(1, SECOND).build(), 3, 4)
                        .orElseThrow();

        assertThat(laws.starts()).containsExactly(0, 2, 4, 4);
        assertThat(laws.tokens()).containsExactly(1, 3, 0, 2);
        for (int token = 0; token < FIRST.length; token++) {
            assertThat(laws.weight(0, token)).isEqualTo((float) FIRST[token]);
            assertThat(laws.weight(1, token)).isEqualTo((float) SECOND[token]);
            assertThat(laws.weight(2, token)).isZero();
        }
    }

    @Test
    void aChainWhoseLawsDoNotFitIsLeftToTheRule() {
        int vocabulary = SparseLaws.CAPACITY / 2;

        assertThat(about(vocabulary, 2)).isPresent();
        assertThat(about(vocabulary + 1, 2)).isEmpty();
        assertThat(about(vocabulary, 3)).isEmpty();
    }

    @Test
    void aSupportThatIsNotItsLawsIsLeftToTheRule() {
        assertThat(withSupport(FIRST)).isPresent();
        assertThat(withSupport(0, 1, 0, 0)).isEmpty();
        assertThat(withSupport(1, 1, 1, 1)).isPresent();
        assertThat(withSupport(0, 1, 0, 1, 1)).isEmpty();
    }

    private static Optional<SparseLaws> withSupport(double... of) {
        var laws = DraftLaws.builder().put(0, FIRST, Support.of(of)).build();
        return SparseLaws.of(laws, 2, FIRST.length);
    }

    private static Optional<VerdictRequest> about(int vocabulary, int drafted) {
        var laws = DraftLaws.builder();
        for (int node = 0; node < drafted; node++) {
            var law = new double[vocabulary];
            Arrays.fill(law, 1.0 / vocabulary);
            laws.put(node, law);
        }
        var draft =
                new Draft(
                        TokenTree.chain(0, new int[drafted]),
                        new Selection.Independent(laws.build()));
        var question =
                new VerdictQuestion(
                        VerdictQuestion.Rule.CHAIN_REJECTION,
                        draft,
                        SamplingPolicy.atTemperature(1),
                        VerdictCase.coins(0));
        return VerdictRequest.about(question, vocabulary);
    }
}
