package dev.outrider.engine.length.bandit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.engine.Rounds;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The bandits with rounds whose depths have known tokens and times.
class BanditLengthTest {
    private static final int MAX = 6;

    static Stream<Supplier<DraftLengthPolicy>> bandits() {
        return Stream.of(
                new UcbLength(MAX, 0.25, 0.999).shared(),
                new Exp3Length(MAX, 4, 0.3, 2, 7).shared());
    }

    @ParameterizedTest
    @MethodSource("bandits")
    void theyFindTheLengthWithTheMostTokensPerTime(Supplier<DraftLengthPolicy> bandit) {
        // Drafts of three are right, others wrong: 1.6 times as fast as plain decoding.
        run(bandit, 4000, depth -> depth == 3 ? 3 : 0, depth -> 100 + 50L * depth);

        assertThat(
                        mostly(
                                run(
                                        bandit,
                                        2000,
                                        depth -> depth == 3 ? 3 : 0,
                                        depth -> 100 + 50L * depth)))
                .matches(depth -> depth == 3);
    }

    @ParameterizedTest
    @MethodSource("bandits")
    void theyStopDraftingWhereNoGuessIsRight(Supplier<DraftLengthPolicy> bandit) {
        run(bandit, 4000, _ -> 0, depth -> 100 + 100L * depth);

        assertThat(mostly(run(bandit, 2000, _ -> 0, depth -> 100 + 100L * depth)))
                .matches(depth -> depth == 0);
    }

    @ParameterizedTest
    @MethodSource("bandits")
    void theyFindANewBestLength(Supplier<DraftLengthPolicy> bandit) {
        run(bandit, 2000, _ -> 0, depth -> 100 + 50L * depth);
        run(bandit, 8000, depth -> depth, depth -> 100 + 10L * depth);

        assertThat(mostly(run(bandit, 2000, depth -> depth, depth -> 100 + 10L * depth)))
                .matches(depth -> depth >= 5);
    }

    private static int mostly(List<Integer> depths) {
        return IntStream.rangeClosed(0, MAX)
                .boxed()
                .max(Comparator.comparing(depth -> Collections.frequency(depths, depth)))
                .orElseThrow();
    }

    @Test
    void everyArmIsPulledOnceThenTheOneWithTheHighestBound() {
        var policy = new UcbLength(2, 1, 1).start();
        var reasons = new ArrayList<String>();
        var depths = new ArrayList<Integer>();
        for (int round = 0; round < 16; round++) {
            depths.add(policy.next());
            reasons.add(policy.reason());
            // 1, 1 and 3 tokens in 1, 2 and 2 passes.
            int depth = depths.getLast();
            policy.observe(Rounds.timed(depth, depth == 2 ? 2 : 0, 0, depth == 0 ? 100 : 200));
        }

        assertThat(depths.subList(0, 12)).containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
        assertThat(reasons.subList(0, 12)).containsOnly("learning");
        assertThat(depths.subList(12, 16)).containsOnly(2);
        assertThat(reasons.subList(12, 16)).containsOnly("best");
    }

    /// Three counted rounds of each of three arms: the bound of the slower ones is `sqrt(2 ln 9 / 3) = 1.21` times the width above 1 and 0.5.
    @Test
    void anArmWhoseBoundIsHigherIsTried() {
        var bounds = new UpperBounds(2, 1, 1);
        for (int pull = 0; pull < 5; pull++) {
            bounds.reward(new Bandit.Pull(0, 1, ""), new Bandit.Block(3, 300, 3));
        }
        bounds.reward(new Bandit.Pull(1, 1, ""), new Bandit.Block(3, 600, 3));

        // sqrt(2 ln 18 / 15) = 0.62 above 1; sqrt(2 ln 18 / 3) = 1.39 above 0.5.
        assertThat(bounds.pull()).isEqualTo(new Bandit.Pull(1, 1, "trial"));
    }

    @Test
    void weightsDecreaseWithTheLossOverTheProbability() {
        var weights = new ExponentialWeights(new Exp3Length(1, 4, 0.5, 2, 1));
        weights.reward(new Bandit.Pull(0, 0.5, ""), new Bandit.Block(4, 400, 4));
        // A loss of 1/2 at probability 1/2: weights e^-0.5 to 1, 0.378 to 0.622, except for the
        // thousandth that is shared.
        double expected = (1 - 1e-6) * Math.exp(-0.5) / (1 + Math.exp(-0.5)) + 0.5e-6;
        var seen = new TreeSet<Double>();
        for (int pull = 0; pull < 50; pull++) {
            var pulled = weights.pull();
            seen.add(pulled.arm() == 0 ? pulled.chance() : 1 - pulled.chance());
        }

        assertThat(seen)
                .allSatisfy(chance -> assertThat(chance).isCloseTo(expected, within(1e-12)));
    }

    @Test
    void drawsRepeatFromTheirSeed() {
        var settings = new Exp3Length(MAX, 4, 0.3, 2, 7);
        var one = run(settings.shared(), 500, depth -> depth / 2, depth -> 100 + 10L * depth);
        var same = run(settings.shared(), 500, depth -> depth / 2, depth -> 100 + 10L * depth);
        var other =
                run(
                        new Exp3Length(MAX, 4, 0.3, 2, 8).shared(),
                        500,
                        depth -> depth / 2,
                        depth -> 100 + 10L * depth);

        assertThat(one).isEqualTo(same).isNotEqualTo(other);
    }

    @Test
    void sequencesLearnFromOneAnotherOnlyIfTheyShare() {
        var shared = new UcbLength(1, 0, 1).shared();
        run(shared, 20, _ -> 0, depth -> 100 + 50L * depth);

        assertThat(shared.get().reason()).isEmpty();
        assertThat(first(shared.get())).isEqualTo("best");
        assertThat(first(new UcbLength(1, 0, 1).start())).isEqualTo("learning");
    }

    private static String first(DraftLengthPolicy policy) {
        policy.next();
        return policy.reason();
    }

    @Test
    void impossibleSettingsAreRefused() {
        assertThatThrownBy(() -> new UcbLength(0, 1, 1))
                .hasMessage("max 0 must be between 1 and 64");
        assertThatThrownBy(() -> new UcbLength(4, Double.NaN, 1))
                .hasMessage("width NaN is not at least 0");
        assertThatThrownBy(() -> new UcbLength(4, 1, 0)).hasMessage("memory 0.0 must be in (0, 1]");
        assertThatThrownBy(() -> new Exp3Length(65, 8, 1, 2, 1))
                .hasMessage("max 65 must be between 1 and 64");
        assertThatThrownBy(() -> new Exp3Length(4, 1, 1, 2, 1))
                .hasMessage("block 1 is not at least 2");
        assertThatThrownBy(() -> new Exp3Length(4, 8, 0, 2, 1))
                .hasMessage("rate 0.0 is not above 0");
        assertThatThrownBy(() -> new Exp3Length(4, 8, 1, 1, 1))
                .hasMessage("slowest 1.0 is not above 1");
    }

    /// Returns the depths of the rounds of sequences of sixty rounds.
    private static List<Integer> run(
            Supplier<DraftLengthPolicy> policies,
            int rounds,
            IntUnaryOperator right,
            IntToLongFunction nanos) {
        var depths = new ArrayList<Integer>();
        var policy = policies.get();
        for (int round = 0; round < rounds; round++) {
            if (round % 60 == 59) {
                policy = policies.get();
            }
            int depth = policy.next();
            depths.add(depth);
            policy.observe(
                    Rounds.timed(depth, right.applyAsInt(depth), 0, nanos.applyAsLong(depth)));
        }
        return depths;
    }
}
