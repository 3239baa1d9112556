package dev.outrider.spi.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// What a back end has that writes logits and nothing else.
class TargetScoresTest {
    private static final float NONE = Float.NEGATIVE_INFINITY;

    @Test
    void theFirstOfTheLargestLogitsIsTaken() {
        assertThat(scores(1, 3, 2, 3).argmax(0)).isEqualTo(1);
        assertThat(scores(NONE, NONE, -7).argmax(0)).isEqualTo(2);
        assertThat(scores(5, 4).argmax(0)).isZero();
    }

    @Test
    void aRowWithoutALargestNumberIsRefused() {
        assertThatThrownBy(() -> scores(1, Float.NaN, 9).argmax(0))
                .hasMessageContaining("CONTRACT_BROKEN: the largest logit is NaN");
        assertThatThrownBy(() -> scores(Float.NaN, 9).argmax(0))
                .hasMessageContaining("the largest logit is NaN");
        assertThatThrownBy(() -> scores(NONE, NONE).argmax(0))
                .hasMessageContaining("the largest logit is -Infinity");
        assertThatThrownBy(() -> scores(1, Float.POSITIVE_INFINITY).argmax(0))
                .hasMessageContaining("the largest logit is Infinity");
    }

    @Test
    void expertsAreNotCountedByDefault() {
        assertThat(scores(1).activeExperts()).isEmpty();
    }

    private static TargetScores scores(float... row) {
        return new TargetScores() {
            @Override
            public int vocabularySize() {
                return row.length;
            }

            @Override
            public MemorySegment logits(int node) {
                return MemorySegment.ofArray(row);
            }

            @Override
            public int size() {
                return 1;
            }

            @Override
            public MemorySegment hidden(HiddenState which, int index) {
                throw new IllegalArgumentException("no hidden states");
            }

            @Override
            public void close() {}
        };
    }
}
