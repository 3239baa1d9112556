package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopLogitsTest {
    private static final int VOCABULARY = 50;

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 49})
    void whatIsKeptHasItsProbabilityAndTheOthersTheirMass(int k) {
        var random = new Random(3);
        for (int time = 0; time < 200; time++) {
            var logits = logits(random);
            var read = readAgain(k, logits);
            var p = probabilities(logits);
            var q = probabilities(read);
            double others = 0;
            double distance = 0;
            int kept = 0;
            for (int token = 0; token < VOCABULARY; token++) {
                if (read[token] == logits[token]) {
                    kept++;
                    assertThat(q[token]).isCloseTo(p[token], within(1e-6));
                } else {
                    others += p[token];
                }
                distance += Math.abs(p[token] - q[token]) / 2;
            }
            assertThat(kept).isGreaterThanOrEqualTo(k);
            assertThat(distance).isLessThanOrEqualTo(others + 1e-6);
            if (k == VOCABULARY - 1) {
                assertThat(distance).isCloseTo(0, within(1e-6));
            }
        }
    }

    /// Without the mass of the other tokens, the probabilities would be larger.
    @Test
    void theMassOfTheOthersIsNeeded() {
        var logits = logits(new Random(4));
        var read = readAgain(3, logits);
        for (int token = 0; token < VOCABULARY; token++) {
            if (read[token] != logits[token]) {
                read[token] = Float.NEGATIVE_INFINITY;
            }
        }
        assertThat(probabilities(read)[largest(logits)])
                .isGreaterThan(probabilities(logits)[largest(logits)] + 0.01);
    }

    @Test
    void equalLogitsAreKeptAsOftenAsThereIsRoom() {
        var logits = new float[VOCABULARY];
        assertThat(probabilities(readAgain(5, logits)))
                .containsExactly(probabilities(logits), within(1e-7));
    }

    @Test
    void tokensOutsideTheVocabularyAreRefused() {
        var top = new TopLogits(2, VOCABULARY);
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocate(top.size());
            memory.set(ValueLayout.JAVA_INT, 0, VOCABULARY);
            assertThatThrownBy(() -> top.read(memory, 0, new float[VOCABULARY], 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> new TopLogits(VOCABULARY, VOCABULARY))
                .hasMessage("top is 50; expected 1 to 49, or 0 for all");
    }

    private static float[] readAgain(int k, float[] logits) {
        var top = new TopLogits(k, VOCABULARY);
        var padded = new float[VOCABULARY + 2];
        System.arraycopy(logits, 0, padded, 2, VOCABULARY);
        try (var arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3 + top.size());
            top.write(padded, 2, memory, 3);
            var read = new float[VOCABULARY + 1];
            top.read(memory, 3, read, 1);
            var result = new float[VOCABULARY];
            System.arraycopy(read, 1, result, 0, VOCABULARY);
            return result;
        }
    }

    private static float[] logits(Random random) {
        var logits = new float[VOCABULARY];
        for (int token = 0; token < VOCABULARY; token++) {
            logits[token] = (float) (2 * random.nextGaussian() - 5);
        }
        return logits;
    }

    private static int largest(float[] logits) {
        int best = 0;
        for (int token = 1; token < logits.length; token++) {
            best = logits[token] > logits[best] ? token : best;
        }
        return best;
    }

    private static double[] probabilities(float[] logits) {
        var p = new double[logits.length];
        double sum = 0;
        for (int token = 0; token < p.length; token++) {
            p[token] = Math.exp(logits[token]);
            sum += p[token];
        }
        for (int token = 0; token < p.length; token++) {
            p[token] /= sum;
        }
        return p;
    }
}
