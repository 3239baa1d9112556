package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Independent guesses accepted at a fixed rate, through the real loop: the theory's own assumption.
class TheoryThroughTheLoopTest {
    @ParameterizedTest
    @ValueSource(doubles = {.2, .4, .5, .6, .7, .8, .9, .95})
    void tokensPerRoundEqualTheTableOfTheory(double alpha) {
        for (int length = 1; length <= 10; length++) {
            double right = SpeedupTheory.expectedTokens(alpha, length);
            double countsOneTwice = (1 - Math.pow(alpha, length)) / (1 - alpha) + 1;
            double expected =
                    ExactDistribution.expectedLength(
                            ExactDistribution.emitted(
                                    decoder(alpha, length), Toy.PLAIN, Toy.PROMPT, 1));

            // The table's logits are 32-bit, so its alpha is this one to seven digits.
            assertThat(expected).isCloseTo(right, within(1e-5));
            assertThat(Math.abs(expected - countsOneTwice)).isGreaterThan(1e-3);
        }
    }

    /// 2,000 sequences, some 34,000 guesses tested: five standard errors of alpha are .012.
    @Test
    void measuredAlphaIsTheRateOfTheModel() {
        var collector = new MetricsCollector();
        for (int request = 0; request < 2000; request++) {
            decoder(.75, 3)
                    .decode(
                            DecodeRequest.of(Toy.PROMPT, 24, Toy.PLAIN),
                            RandomnessSource.of(new KeyedRandomStreams(5, request)),
                            collector,
                            () -> false);
        }
        var metrics = collector.metrics();

        assertThat(metrics.alpha()).isCloseTo(.75, within(.012));
        assertThat(metrics.sequences()).isEqualTo(2000);
        assertThat(metrics.emitted()).isEqualTo(48_000);
        assertThat(metrics.conditionalAcceptanceByPosition())
                .hasSize(3)
                .allSatisfy(rate -> assertThat(rate).isCloseTo(.75, within(.03)));
    }

    private static Decoder decoder(double alpha, int length) {
        var target = TableModel.constant(alpha, 1 - alpha);
        var draft = TableModel.constant(1, 0);
        return Toy.decoder(
                TableTarget.of(target),
                new TableDrafter(draft, new TreePlan.Chain(length), Toy.PLAIN),
                new TokenRejectionRule());
    }
}
