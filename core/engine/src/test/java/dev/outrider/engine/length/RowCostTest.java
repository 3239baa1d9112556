package dev.outrider.engine.length;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rows of a shared pass are used where they gain most: nearly as fast as the best fixed length at every load.
class RowCostTest {
    private static final int MAX = 7;
    private static final int SEEDS = 3;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 16, 32})
    void itIsNearlyAsFastAsTheBestLengthAtAnyLoad(int sequences) {
        var alike = new SimulatedBatch(sequences, true);

        assertThat(chosen(alike) / best(alike)).isGreaterThan(0.97);
    }

    /// Control: a policy that takes an equal share of the pass as the cost of its own draft drafts
    /// too much, because the others pay: 1.09 times as slow.
    @Test
    void anEqualShareOfThePassAsCostIsSlower() {
        double knowing = chosen(new SimulatedBatch(8, true));

        assertThat(knowing / chosen(new SimulatedBatch(8, false))).isGreaterThan(1.05);
    }

    /// Costs that were learned of one sequence are wrong for sixteen: without separate costs for each load, the policy goes on
    /// drafting, at 0.65 of the best length.
    @Test
    void aChangeOfTheLoadIsNoticed() {
        var one = new SimulatedBatch(1, true);
        var many = new SimulatedBatch(16, true);
        var policies = new ExpectedGainLength(4, MAX, 0.01).shared();

        double alone = one.rate(policies, 1);
        double crowd = many.rate(policies, 1);
        double again = one.rate(policies, 2);

        assertThat(crowd / best(many)).isGreaterThan(0.93);
        assertThat(alone / best(one)).isGreaterThan(0.93);
        assertThat(again / best(one)).isGreaterThan(0.93);
    }

    /// Lengths that were chosen at another load are drafted before any plain round. Plain rounds, which come first at the other
    /// load, must drop only their own data: without data of drafts the costs would be NaN.
    @Test
    void draftsBeforePlainRoundsAreNotForgottenWithThem() {
        var experience = new ExpectedGainLength.Experience(MAX, 0.01);
        for (int round = 0; round < 8; round++) {
            experience.observe(3, Rounds.timed(3, 1, 5, 100), true);
        }
        assertThat(experience.wantsPlain()).isTrue();
        for (int round = 0; round < 8; round++) {
            experience.observe(0, Rounds.timed(0, 0, 0, 60), true);
        }

        var known = experience.known().orElseThrow();
        assertThat(known.nanos()[0]).isEqualTo(60);
        assertThat(known.nanos()[3]).isEqualTo(115);
        assertThat(Arrays.stream(known.nanos())).allMatch(Double::isFinite);
    }

    private static double chosen(SimulatedBatch batch) {
        return mean(batch, new ExpectedGainLength(4, MAX, 0.01).shared());
    }

    private static double best(SimulatedBatch batch) {
        return IntStream.rangeClosed(0, MAX)
                .mapToDouble(depth -> mean(batch, () -> new FixedLength(depth).start()))
                .max()
                .orElseThrow();
    }

    private static double mean(SimulatedBatch batch, Supplier<DraftLengthPolicy> policies) {
        return IntStream.range(0, SEEDS)
                .mapToDouble(seed -> batch.rate(policies, seed))
                .average()
                .orElseThrow();
    }
}
