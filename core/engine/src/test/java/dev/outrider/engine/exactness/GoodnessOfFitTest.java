package dev.outrider.engine.exactness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.exactness.GoodnessOfFit.NoncentralChiSquared;
import dev.outrider.engine.random.StreamRandomness.Categorical;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GoodnessOfFitTest {
    private static final double[] DISTRIBUTION = {.4, .3, .2, .06, .04};

    /// By hand: 8^2/40 + 5^2/30 + 0 + 3^2/10; the last cell combines the two rare ones.
    @Test
    void theStatisticOfAWorkedExample() {
        var test = GoodnessOfFit.test(DISTRIBUTION, new long[] {48, 25, 20, 3, 4}, .05);

        assertThat(test.samples()).isEqualTo(100);
        assertThat(test.cells()).isEqualTo(4);
        assertThat(test.statistic()).isCloseTo(1.6 + 25.0 / 30 + 0.9, within(1e-12));
        assertThat(test.pValue()).isCloseTo(.343, within(.001));
    }

    @Test
    void rareCellsArePooledAndATooSmallPoolJoinsTheSmallestCell() {
        var pooled = GoodnessOfFit.test(new double[] {.9, .05, .05}, new long[] {90, 6, 4}, .05);
        var joined = GoodnessOfFit.test(new double[] {.9, .06, .04}, new long[] {54, 4, 2}, .05);
        var single = GoodnessOfFit.test(new double[] {.99, .01}, new long[] {20, 0}, .05);

        assertThat(pooled.cells()).isEqualTo(3);
        assertThat(joined.cells()).isEqualTo(2);
        assertThat(single.cells()).isEqualTo(1);
        assertThat(single.pValue()).isEqualTo(1);
        assertThat(single.rejected()).isFalse();
        assertThat(single.power(3)).isZero();
    }

    /// The central value is in every table; the noncentral one was simulated, with a standard error
    /// of .0011.
    @Test
    void theNoncentralDistributionIsThatOfShiftedSquares() {
        assertThat(NoncentralChiSquared.survival(20, 10, 0)).isCloseTo(.029253, within(1e-6));
        assertThat(NoncentralChiSquared.survival(20, 10, 12))
                .isCloseTo(simulated(20, 10, 12), within(.006));
        assertThat(NoncentralChiSquared.survival(100, 31, 900)).isCloseTo(1, within(1e-12));
        double lambda = NoncentralChiSquared.noncentrality(23.2093, 10, .9);
        assertThat(NoncentralChiSquared.survival(23.2093, 10, lambda)).isCloseTo(.9, within(1e-9));
    }

    /// 4,000 experiments without an effect, at a level of 5 %: five standard errors are 1.7 points.
    @Test
    void theFalseAlarmRateIsTheLevel() {
        assertThat(rejections(DISTRIBUTION, 4000, 400, .05)).isCloseTo(.05, within(.0175));
    }

    /// An effect that 90 % of experiments find: 2,000 experiments, five standard errors are 3.4
    /// points.
    @Test
    void anEffectIsFoundAsOftenAsThePowerSays() {
        var plan = GoodnessOfFit.test(DISTRIBUTION, new long[] {160, 120, 80, 24, 16}, .01);
        double[] shifted = shifted(plan.found(.9));

        assertThat(effect(shifted)).isCloseTo(plan.found(.9), within(1e-9));
        assertThat(plan.power(plan.found(.9))).isCloseTo(.9, within(1e-6));
        assertThat(plan.power(plan.found(.99))).isCloseTo(.99, within(1e-6));
        assertThat(plan.power(0)).isCloseTo(.01, within(1e-6));
        assertThat(rejections(shifted, 2000, 400, .01)).isCloseTo(.9, within(.034));
    }

    /// 400 experiments with a known effect: the 95 % interval contains it in all but 5 %, with a
    /// margin of 5.5 points.
    @Test
    void theIntervalContainsTheEffect() {
        double[] shifted = shifted(.3);
        int held = 0;
        var random = new SplittableRandom(8);
        for (int experiment = 0; experiment < 400; experiment++) {
            var test = GoodnessOfFit.test(DISTRIBUTION, draws(shifted, 400, random), .01);
            held += test.effectLow() <= .3 && .3 <= test.effectHigh() ? 1 : 0;
        }
        assertThat(held / 400.0).isCloseTo(.95, within(.055));
    }

    @Test
    void everyCountHasAProbability() {
        assertThatThrownBy(() -> GoodnessOfFit.test(DISTRIBUTION, new long[2], .05))
                .hasMessage("5 probabilities for 2 counts");
    }

    private static double rejections(
            double[] distribution, int experiments, int samples, double alpha) {
        var random = new SplittableRandom(7);
        int rejected = 0;
        for (int experiment = 0; experiment < experiments; experiment++) {
            var test =
                    GoodnessOfFit.test(DISTRIBUTION, draws(distribution, samples, random), alpha);
            rejected += test.rejected() ? 1 : 0;
        }
        return (double) rejected / experiments;
    }

    private static long[] draws(double[] distribution, int samples, SplittableRandom random) {
        var counts = new long[distribution.length];
        for (int sample = 0; sample < samples; sample++) {
            counts[Categorical.draw(distribution, random.nextDouble())]++;
        }
        return counts;
    }

    /// Returns the distribution with probability moved from the first cell to the second, by an
    /// effect of this size.
    private static double[] shifted(double size) {
        double moved = size / Math.sqrt(1 / DISTRIBUTION[0] + 1 / DISTRIBUTION[1]);
        double[] distribution = DISTRIBUTION.clone();
        distribution[0] -= moved;
        distribution[1] += moved;
        return distribution;
    }

    private static double effect(double[] distribution) {
        double sum = 0;
        for (int cell = 0; cell < distribution.length; cell++) {
            sum += Math.pow(distribution[cell] - DISTRIBUTION[cell], 2) / DISTRIBUTION[cell];
        }
        return Math.sqrt(sum);
    }

    private static double simulated(double x, int freedom, double noncentrality) {
        var random = new SplittableRandom(5);
        int trials = 200_000;
        double[] shift = new double[freedom];
        shift[0] = Math.sqrt(noncentrality);
        long above = 0;
        for (int trial = 0; trial < trials; trial++) {
            double sum =
                    Arrays.stream(shift).map(s -> Math.pow(random.nextGaussian() + s, 2)).sum();
            above += sum > x ? 1 : 0;
        }
        return (double) above / trials;
    }
}
