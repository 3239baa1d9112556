package dev.outrider.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.run.DecodeEvent.StageTimes;
import org.junit.jupiter.api.Test;

class StageTimesTest {
    private static final StageTimes ROUND = new StageTimes(1, 20, 300, 4_000, 50_000, 600_000);

    @Test
    void addsStageByStage() {
        var twice = ROUND.plus(ROUND);

        assertThat(twice).isEqualTo(new StageTimes(2, 40, 600, 8_000, 100_000, 1_200_000));
        assertThat(ROUND.total()).isEqualTo(654_321);
        assertThat(ROUND.plus(new StageTimes(1, 0, 0, 0, 0, 0)).engine()).isEqualTo(600_300);
    }

    @Test
    void zeroAddsNothing() {
        assertThat(StageTimes.zero().plus(ROUND)).isEqualTo(ROUND);
        assertThat(ROUND.plus(StageTimes.zero())).isEqualTo(ROUND);
        assertThat(StageTimes.zero().total()).isZero();
    }
}
