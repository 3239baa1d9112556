package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.ensemble.ChoosingRun.Side;
import dev.outrider.drafter.ensemble.VirtualDrafter.Script;
import dev.outrider.drafter.ensemble.VirtualMachine.Costs;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// For any drafter and costs, with the real loop on a simulated clock: a good policy is at most 3 % slower than plain decoding.
/// Where one of the parts of a choice is good, the choice is nearly as fast as the best part; `ExpectedGainTest` shows the same for
/// lengths.
class NeverWorseTest {
    private static final int SEEDS = Boolean.getBoolean("outrider.nightly") ? 2 : 1;

    /// More, because the speed of a choice differs more from seed to seed.
    private static final int CHOICE_SEEDS = 2;

    static Stream<Arguments> inputs() {
        return Inputs.targets().entrySet().stream()
                .flatMap(target ->
                        Inputs.drafters().entrySet().stream()
                                .map(drafter ->
                                        Arguments.of(
                                                target.getKey(),
                                                drafter.getKey(),
                                                target.getValue(),
                                                drafter.getValue())));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("inputs")
    void expectedGain(String target, String drafter, Costs costs, Script script) {
        assertThat(speedup(ChoosingRun.expectedGain(script), costs)).isGreaterThan(0.97);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("inputs")
    void choiceOfLengths(String target, String drafter, Costs costs, Script script) {
        assertThat(speedup(ChoosingRun.choice(script), costs)).isGreaterThan(0.97);
    }

    static Stream<Arguments> steady() {
        return Stream.of("cheap rows", "expensive rows")
                .flatMap(target ->
                        Stream.of(
                                        "right in 50 %",
                                        "right in 70 %", "right in 85 %", "right in 95 %")
                                .map(drafter ->
                                        Arguments.of(
                                                target,
                                                drafter,
                                                Inputs.target(target),
                                                Inputs.drafter(drafter))));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("steady")
    void choiceIsNearlyAsFastAsTheBestOfItsParts(
            String target, String drafter, Costs costs, Script script) {
        double best =
                IntStream.of(0, 2, 4, 8)
                        .mapToDouble(length ->
                                time(ChoosingRun.fixed(script, length), costs, CHOICE_SEEDS))
                        .min()
                        .orElseThrow();

        assertThat(best / time(ChoosingRun.choice(script), costs, CHOICE_SEEDS))
                .isGreaterThan(0.95);
    }

    /// Control: a bandit that must try every length is slower where no guess is right, and a
    /// length that never stops drafting is slower still.
    @Test
    void whatExploresOrAlwaysDraftsIsSlower() {
        var costs = Inputs.target("expensive rows");
        var wrong = Inputs.drafter("always wrong");

        assertThat(speedup(ChoosingRun.ucb(wrong), costs)).isBetween(0.85, 0.97);
        assertThat(speedup(ChoosingRun.heuristic(wrong), costs)).isLessThan(0.85);
    }

    private static double speedup(Side side, Costs costs) {
        return time(ChoosingRun.fixed(_ -> 0, 0), costs, SEEDS) / time(side, costs, SEEDS);
    }

    private static double time(Side side, Costs costs, int seeds) {
        return ChoosingRun.timePerToken(side, costs, seeds);
    }
}
