package dev.outrider.experiment.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class BootstrapTest {
    @Test
    void takesTheMiddleValueOrTheMeanOfTwo() {
        assertThat(Bootstrap.median(List.of(List.of(3.0, 1.0, 2.0)), 1).value()).isEqualTo(2);
        assertThat(Bootstrap.median(List.of(List.of(4.0, 1.0), List.of(2.0, 3.0)), 1).value())
                .isEqualTo(2.5);
    }

    @Test
    void hasNoWidthWhereAllValuesAgree() {
        assertThat(Bootstrap.median(List.of(List.of(1.5, 1.5), List.of(1.5)), 1))
                .isEqualTo(Interval.of(1.5, 1.5, 1.5));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(Bootstrap.median(List.of(List.of(1.5)), 1)).isEqualTo(Interval.unknown(1.5));
        assertThat(Bootstrap.difference(List.of(List.of(1.5)), List.of(List.of(2.0)), 1))
                .isEqualTo(Interval.unknown(.5));
        assertThat(Bootstrap.median(List.of(List.of(1.5, 1.5)), 1))
                .isEqualTo(Interval.of(1.5, 1.5, 1.5));
    }

    @Test
    void repeatsFromItsSeedAndNotFromAnother() {
        List<List<Double>> groups = normal(new SplittableRandom(5), 12, 3);
        assertThat(Bootstrap.median(groups, 7)).isEqualTo(Bootstrap.median(groups, 7));
        assertThat(Bootstrap.median(groups, 7)).isNotEqualTo(Bootstrap.median(groups, 8));
    }

    /// 200 intervals for a known median: a 95 % interval that covers fewer than 88 % or all would show a
    /// wrong resampling; the chance of either for a right one is below 1e-4.
    @Test
    void coversTheTrueMedianAboutAsOftenAsItSays() {
        int covered = 0;
        for (int trial = 0; trial < 200; trial++) {
            var interval = Bootstrap.median(normal(new SplittableRandom(trial), 40, 1), trial);
            covered += interval.least() <= 2 && 2 <= interval.most() ? 1 : 0;
        }
        assertThat(covered).isBetween(176, 199);
    }

    @Test
    void isWiderWhenPromptsDifferThanWhenOnlyRepetitionsDo() {
        List<List<Double>> between = new ArrayList<>();
        List<List<Double>> within = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            between.add(List.of((double) i, (double) i, (double) i));
            within.add(List.of(3.0, 4.0, 5.0));
        }
        assertThat(width(Bootstrap.median(between, 3)))
                .isGreaterThan(width(Bootstrap.median(within, 3)));
        assertThat(Bootstrap.median(between, 3).value()).isCloseTo(4, within(1e-12));
    }

    @Test
    void refusesNothing() {
        assertThatThrownBy(() -> Bootstrap.median(List.of(), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a median needs at least one value in each of at least one group");
    }

    private static double width(Interval interval) {
        return interval.most() - interval.least();
    }

    private static List<List<Double>> normal(SplittableRandom random, int groups, int each) {
        List<List<Double>> all = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            List<Double> group = new ArrayList<>();
            for (int j = 0; j < each; j++) {
                group.add(2 + random.nextGaussian());
            }
            all.add(group);
        }
        return all;
    }
}
