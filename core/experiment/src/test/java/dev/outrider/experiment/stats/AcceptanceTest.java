package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.StageTimes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AcceptanceTest {
    private static final StageTimes TIMES = new StageTimes(30, 100, 4, 1, 2, 6);

    @Test
    void countsWhatWasTestedNotWhatWasDrafted() {
        var acceptance =
                Acceptance.of(
                        List.of(
                                chain(
                                        0, 3, 3,
                                        4), // everything accepted: three tests, three accepts
                                chain(1, 3, 0, 1), // the first guess refused: one test
                                chain(2, 3, 1, 2), // one accept, one refusal
                                chain(3, 0, 0, 1))); // nothing drafted
        assertThat(acceptance.alpha()).isEqualTo(4.0 / 6);
        assertThat(acceptance.tokensPerRound()).isEqualTo(2);
        assertThat(acceptance.perPosition()).containsExactly(2.0 / 3, 1.0 / 3, 1.0 / 3);
        assertThat(acceptance.conditional()).containsExactly(2.0 / 3, 0.5, 1.0);
        assertThat(acceptance.draftAcceptanceRate()).isEqualTo(4.0 / 9);
        assertThat(acceptance.wasted()).isEqualTo(5);
        assertThat(acceptance.meanDepth()).isEqualTo(9.0 / 4);
        assertThat(acceptance.expectedTokens()).isEqualTo(2);
        assertThat(acceptance.histogram()).isEqualTo(Map.of(0, 2L, 1, 1L, 3, 1L));
    }

    @Test
    void anUncutRoundExpectsMoreThanOneCutByTheEnd() {
        var acceptance = Acceptance.of(List.of(chain(0, 3, 3, 2)));
        assertThat(acceptance.tokensPerRound()).isEqualTo(2);
        assertThat(acceptance.expectedTokens()).isEqualTo(4);
    }

    @Test
    void nothingAtAllIsZero() {
        var acceptance = Acceptance.of(List.of());
        assertThat(acceptance.alpha()).isZero();
        assertThat(acceptance.tokensPerRound()).isZero();
        assertThat(acceptance.perPosition()).isEmpty();
    }

    @Test
    void averagesStageTimesAndTellsTheEnginesShare() {
        var stages =
                StageMeans.of(List.of(chain(0, 3, 3, 4), chain(1, 2, 0, 1), chain(2, 0, 0, 1)));
        assertThat(stages.draft()).isEqualTo(30);
        assertThat(stages.draftStep()).isEqualTo(90.0 / 5);
        assertThat(stages.engineShare()).isCloseTo(10.0 / 143, within(1e-12));
        assertThat(stages.others()).isEqualTo(13);
        assertThat(stages.passByRows()).isEqualTo(Map.of(1, 100.0, 3, 100.0, 4, 100.0));
    }

    @Test
    void predictsByBothFormulas() {
        var rounds = List.of(chain(0, 3, 3, 4), chain(1, 3, 0, 1));
        var plain =
                StageMeans.of(
                        List.of(
                                new RoundRecord(
                                        0, 0, 0, 0, false, 1, new StageTimes(0, 90, 0, 0, 0, 0))));
        var predictions = Predictions.of(Acceptance.of(rounds), StageMeans.of(rounds), plain, 0.1);
        double alpha = 0.75;
        assertThat(predictions.byAlphaAndCost())
                .isCloseTo((1 - Math.pow(alpha, 4)) / ((1 - alpha) * (3 * 0.1 + 1)), within(1e-12));
        assertThat(predictions.byTimes()).isCloseTo(2.5 * 90 / 143, within(1e-12));
    }

    private static RoundRecord chain(int round, int depth, int accepted, int emitted) {
        return new RoundRecord(round, depth, depth, accepted, accepted < depth, emitted, TIMES);
    }
}
