package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LogitReaderTest {
    private static final int VOCABULARY = 3000;

    @ParameterizedTest
    @EnumSource(PathLogits.Style.class)
    void probabilitiesAndEntropyAreThoseOfTheDistributionAtTemperatureOne(PathLogits.Style style) {
        var logits = new PathLogits(VOCABULARY, 3, style).segmentAfter(List.of(1));
        var distribution =
                Distributions.of(
                        SamplingPolicy.atTemperature(1), logits, VOCABULARY, TokenHistory.empty());
        var reader =
                new LogitReader(
                        SamplingPolicy.argmax(), new DraftVocabulary(VOCABULARY, VOCABULARY));

        reader.read(logits, TokenHistory.empty());

        double normaliser = reader.logNormaliser();
        double entropy = 0;
        for (int token = 0; token < VOCABULARY; token++) {
            assertThat(Math.exp(reader.score(token) - normaliser))
                    .isCloseTo(distribution[token], within(1e-9));
            entropy -=
                    distribution[token] > 0
                            ? distribution[token] * Math.log(distribution[token])
                            : 0;
        }
        assertThat(reader.entropy()).isCloseTo(entropy, within(1e-9));
    }

    @Test
    void penalisesTokensOfTheHistoryAsThePolicyDoes() {
        var policy = new SamplingPolicy(0, 0, 1, 0, 3.5);
        var reader = new LogitReader(policy, new DraftVocabulary(VOCABULARY, VOCABULARY));
        for (int seed = 0; seed < 200; seed++) {
            var logits =
                    new PathLogits(VOCABULARY, seed, PathLogits.Style.SMOOTH)
                            .segmentAfter(List.of());
            reader.read(logits, TokenHistory.empty());
            var favourites = reader.top(20);
            var history = TokenHistory.of(favourites).followedBy(favourites[3], 2999);

            reader.read(logits, history);

            assertThat(reader.top(1)[0])
                    .isEqualTo(Distributions.mode(policy, logits, VOCABULARY, history))
                    .isNotEqualTo(favourites[0]);
        }
    }

    @Test
    void ignoresHistoryTokensThatTheDrafterDoesNotHave() {
        var reader = new LogitReader(new SamplingPolicy(0, 0, 1, 0, 2), new DraftVocabulary(4, 4));

        reader.read(
                new PathLogits(9, 1, PathLogits.Style.SMOOTH).segmentAfter(List.of()),
                TokenHistory.of(8));

        assertThat(reader.top(9)).hasSize(4);
    }

    @Test
    void refusesARowWithoutAnyFiniteLogit() {
        var reader = new LogitReader(SamplingPolicy.argmax(), new DraftVocabulary(2, 2));

        reader.read(
                MemorySegment.ofArray(new float[] {Float.NaN, Float.NEGATIVE_INFINITY}),
                TokenHistory.empty());

        assertThatThrownBy(() -> reader.top(1))
                .hasMessage(
                        """
                        CONTRACT_BROKEN: the drafter's largest logit is not a number, expected a finite number
                          Check the drafter's checkpoint for NaN weights, or choose a wider number format for it.\
                        """);
    }
}
