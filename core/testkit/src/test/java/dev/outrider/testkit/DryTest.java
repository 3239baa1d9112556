package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.common.sampling.OperatorChain;
import dev.outrider.common.sampling.OperatorRow;
import dev.outrider.common.sampling.SamplingOperators.Dry;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The linear search of `dry` against its definition, on texts that repeat much.
class DryTest {
    private static final int VOCABULARY = 4;

    @Test
    void penaltiesAreThoseOfTheDefinition() {
        var random = new SplittableRandom(1);
        int windowed = 0;
        int broken = 0;
        for (int number = 0; number < 3000; number++) {
            int tokens = random.nextInt(1, VOCABULARY + 1);
            int[] text = random.ints(random.nextInt(40), 0, tokens).toArray();
            List<Integer> breakers = random.nextBoolean() ? List.of() : List.of(0, 3);
            var dry = new Dry(.8, 1.75, random.nextInt(1, 4), random.nextInt(30), breakers);
            double[] expected = penalised(dry, text);

            assertThat(scores(dry, text)).isEqualTo(expected);
            windowed += Arrays.equals(expected, penalised(with(dry, 0, breakers), text)) ? 0 : 1;
            broken +=
                    Arrays.equals(expected, penalised(with(dry, dry.window(), List.of()), text))
                            ? 0
                            : 1;
        }
        assertThat(windowed).isGreaterThan(100);
        assertThat(broken).isGreaterThan(100);
    }

    /// The square of its length would be 40 billion steps.
    @Test
    @Timeout(20)
    void aLongTextOfOneTokenIsReadInLinearTime() {
        var scores = scores(new Dry(1, 1.0, 2, 0, List.of(3)), new int[200_000]);

        assertThat(scores).containsExactly(-1, 0, 0, 0);
    }

    private static Dry with(Dry dry, int window, List<Integer> breakers) {
        return new Dry(dry.multiplier(), dry.base(), dry.allowedLength(), window, breakers);
    }

    /// Half of the text is committed, the rest is a draft.
    private static double[] scores(Dry dry, int... text) {
        var operators =
                OperatorChain.of(
                        OperatorSettings.of("dry", Optional.of(dry)), VOCABULARY, Set.of());
        int committed = text.length / 2;
        var history =
                new TokenHistory(
                        text, committed, Arrays.copyOfRange(text, committed, text.length), 0);
        return new OperatorRow(operators, VOCABULARY)
                .greedyScores(
                        SamplingPolicy.argmax(),
                        MemorySegment.ofArray(new float[VOCABULARY]),
                        history);
    }

    private static double[] penalised(Dry dry, int... text) {
        int from = dry.window() == 0 ? 0 : Math.max(0, text.length - dry.window());
        var scores = new double[VOCABULARY];
        for (int next = from + 1; next < text.length; next++) {
            int run = 0;
            while (next - 1 - run >= from
                    && text[next - 1 - run] == text[text.length - 1 - run]
                    && !dry.breakers().contains(text[next - 1 - run])) {
                run++;
            }
            if (run >= dry.allowedLength() && !dry.breakers().contains(text[next])) {
                double loss = dry.multiplier() * Math.pow(dry.base(), run - dry.allowedLength());
                scores[text[next]] = Math.min(scores[text[next]], -loss);
            }
        }
        return scores;
    }
}
