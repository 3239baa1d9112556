package dev.outrider.engine.length;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.ArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// For any drafter and costs: at most 3 % slower than plain decoding, and if one fixed length is
/// good, nearly as fast as that length.
class ExpectedGainTest {
    private static final int MAX = 12;
    private static final int SEEDS = 5;

    /// A target limited by memory: further rows cost little.
    private static final SimulatedRun.Costs CHEAP_ROWS =
            costs(0.05, (rows, round) -> 1 + 0.03 * (rows - 1));

    /// A target in the processor's cache, like the demo target.
    private static final SimulatedRun.Costs DEAR_ROWS =
            costs(
                    0.1,
                    (rows, round) ->
                            new double[] {1, 1.2, 1.6, 1.9, 2.8, 3, 3.2, 3.2}[Math.min(8, rows) - 1]
                                    + 0.3 * Math.max(0, rows - 8));

    /// Passes cost three times as much from round 300 to 900.
    private static final SimulatedRun.Costs CHANGING =
            costs(
                    0.05,
                    (rows, round) ->
                            (round > 300 && round < 900 ? 3 : 1) * (1 + 0.05 * (rows - 1)));

    /// Rows become expensive after 300 rounds.
    private static final SimulatedRun.Costs ROWS_TURN_DEAR =
            costs(0.05, (rows, round) -> 1 + (round > 300 ? 0.9 : 0.03) * (rows - 1));

    static Stream<Arguments> hostile() {
        return Stream.of(
                        Arguments.of("always wrong", (SimulatedRun.Drafter) (round, random) -> 0),
                        Arguments.of(
                                "alternately right and wrong",
                                (SimulatedRun.Drafter)
                                        (round, random) -> round % 2 == 0 ? Integer.MAX_VALUE : 0),
                        Arguments.of(
                                "right only at first",
                                (SimulatedRun.Drafter)
                                        (round, random) -> round < 8 ? Integer.MAX_VALUE : 0),
                        Arguments.of("seldom right", chain(0.15)),
                        Arguments.of("half right", chain(0.5)),
                        Arguments.of("mostly right", chain(0.85)))
                .flatMap(drafter ->
                        Stream.of(CHEAP_ROWS, DEAR_ROWS, CHANGING, ROWS_TURN_DEAR)
                                .map(costs ->
                                        Arguments.of(drafter.get()[0], drafter.get()[1], costs)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hostile")
    void itIsNeverMuchSlowerThanPlainDecoding(
            String name, SimulatedRun.Drafter drafter, SimulatedRun.Costs costs) {
        var run = new SimulatedRun(costs, drafter, 30, 128, 1);

        double plain = mean(run, () -> new FixedLength(0).start());
        double chosen = mean(run, settings().shared());

        assertThat(plain / chosen).isGreaterThan(0.97);
    }

    static Stream<Arguments> steady() {
        return Stream.of(0.5, 0.7, 0.85, 0.95)
                .flatMap(alpha ->
                        Stream.of(CHEAP_ROWS, DEAR_ROWS)
                                .map(costs -> Arguments.of(alpha, chain(alpha), costs)));
    }

    @ParameterizedTest(name = "alpha {0}")
    @MethodSource("steady")
    void itIsNearlyAsFastAsTheBestLength(
            double alpha, SimulatedRun.Drafter drafter, SimulatedRun.Costs costs) {
        var run = new SimulatedRun(costs, drafter, 30, 128, 1);

        double best =
                IntStream.rangeClosed(0, MAX)
                        .mapToDouble(length -> mean(run, () -> new FixedLength(length).start()))
                        .min()
                        .orElseThrow();

        assertThat(best / mean(run, settings().shared())).isGreaterThan(0.95);
    }

    /// As on the demo pair, where a plain round between drafted ones takes twice as long as one
    /// among plain ones. A policy that uses such rounds as the cost of plain decoding falls to
    /// 0.81.
    @Test
    void theFirstRoundAfterAChangeOfDepthIsNotTimed() {
        var run = new SimulatedRun(DEAR_ROWS, chain(0.7), 30, 128, 3);

        double plain = mean(run, () -> new FixedLength(0).start());

        assertThat(plain / mean(run, settings().shared())).isGreaterThan(0.97);
    }

    /// Control: a policy that never stops drafting is slower than plain decoding if the drafter is
    /// wrong.
    @Test
    void aPolicyThatAlwaysDraftsIsSlower() {
        var run = new SimulatedRun(DEAR_ROWS, (round, random) -> 0, 30, 128, 1);

        double plain = mean(run, () -> new FixedLength(0).start());
        double drafting = mean(run, () -> new HeuristicLength(4, MAX, 1).start());

        assertThat(plain / drafting).isLessThan(0.85);
    }

    @Test
    void theNextSequenceStartsWithTheLearnedCosts() {
        var run = new SimulatedRun(DEAR_ROWS, (round, random) -> 0, 1, 64, 1);
        var policies = settings().shared();
        double first = run.timePerToken(policies, 1);
        double second = run.timePerToken(policies, 1);

        assertThat(second).isLessThan(first);
    }

    @Test
    void itStatesTheReasonOfItsChoice() {
        var policy = new ExpectedGainLength(4, MAX, 0.1).start();
        var reasons = new ArrayList<String>();
        for (int round = 0; round < 400; round++) {
            int depth = policy.next();
            reasons.add(policy.reason());
            policy.observe(Rounds.timed(depth, depth, 5, 100));
        }

        assertThat(reasons).startsWith("learning").contains("best", "trial");
        assertThat(reasons.subList(16, 400)).doesNotContain("learning");
    }

    private static ExpectedGainLength settings() {
        return new ExpectedGainLength(4, MAX, 0.01);
    }

    private static double mean(SimulatedRun run, Supplier<DraftLengthPolicy> policies) {
        return IntStream.range(0, SEEDS)
                .mapToDouble(seed -> run.timePerToken(policies, seed))
                .average()
                .orElseThrow();
    }

    private static SimulatedRun.Drafter chain(double alpha) {
        return (round, random) -> {
            int right = 0;
            while (random.nextDouble() < alpha && right < MAX) {
                right++;
            }
            return right;
        };
    }

    /// The cost of a pass by rows and round.
    private interface Passes {
        double pass(int rows, int round);
    }

    private static SimulatedRun.Costs costs(double guess, Passes passes) {
        return new SimulatedRun.Costs() {
            @Override
            public double pass(int rows, int round) {
                return passes.pass(rows, round);
            }

            @Override
            public double guess() {
                return guess;
            }
        };
    }
}
