package dev.outrider.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.audit.Audit.Verdict;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TwoSidesTest {
    private static final double[] TOKENS = {.4, .3, .2, .1};
    private static final double[] OTHERS = {.1, .2, .3, .4};

    @Test
    void sidesOfOneDistributionAreSeldomToldApart() {
        int alarms = 0;
        int runs = 400;
        for (int run = 0; run < runs; run++) {
            alarms += told(run, .05, TOKENS, 100) ? 1 : 0;
        }

        assertThat(alarms / (double) runs).isLessThan(.05 + 3 * Math.sqrt(.05 * .95 / runs));
    }

    @Test
    void sidesOfTwoDistributionsAreToldApart() {
        for (int run = 0; run < 20; run++) {
            assertThat(told(run, 1e-6, OTHERS, 300)).isTrue();
        }
    }

    private static boolean told(long seed, double alpha, double[] second, int requests) {
        var test = new TwoSides(new Audit.Settings(requests, alpha, 0, 1, false, true, 1, seed));
        var random = new SplittableRandom(1000 + seed);
        for (int request = 0; request < requests && !test.decided(); request++) {
            int side = test.side();
            double[] from = side == 0 ? TOKENS : second;
            test.take(
                    // One side reports ids and the other side does not: only the words of the text
                    // count.
                    new Answer(
                            side == 0 ? "on" : "off",
                            "prompt",
                            List.of(),
                            side == 0 ? List.of(1, 2, 3) : List.of(),
                            side == 1,
                            "%d %d %d"
                                    .formatted(
                                            Toy.drawn(from, random),
                                            Toy.drawn(from, random),
                                            Toy.drawn(from, random)),
                            "length"),
                    side);
        }
        assertThat(test.outcome(true).evidence().detectable()).isZero();
        return test.outcome(true).verdict() == Verdict.DIFFERENT;
    }
}
