package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.torch.TensorRuntime;
import dev.outrider.training.TrainingTimeTest.DepthPlan;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that slots have the positions, inputs and visible rows of the drafter's slots.
class TrainingTimeTestTest {
    private static final int WIDTH = 19;
    private static final int ROWS = 2;
    private static final int MASK = 77;
    private static final DepthPlan PLAN = new DepthPlan(4, MASK, 0.6, 0.3);

    @Test
    void everyDepthKeepsAShareOfTheOneBefore() {
        // 15 places have room for four guesses: 15 (.6), 15 (.36), 15 (.3).
        assertThat(PLAN.kept(18)).containsExactly(18, 9, 5, 4);
        assertThat(PLAN.measures())
                .startsWith("agreement1", "agreement2")
                .endsWith("acceptance3", "acceptance4");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aSlotSeesTheTextUpToItsPlaceAndTheShallowerSlotsOfIt(int ahead) {
        var rows = rows();
        var slots = TrainingTimeTest.draw(rows, PLAN, ahead, 5);
        try (var manager = TensorRuntime.newManager()) {
            var inputs = slots.inputs(manager);
            long[] tokens = inputs.get(0).toLongArray();
            long[] positions = inputs.get(1).toLongArray();
            float[] mask = inputs.get(2).toFloatArray();
            long[] truths = inputs.get(3).toLongArray();
            long[] learned = inputs.get(4).toLongArray();
            int count = slots.slots();
            for (int row = 0; row < ROWS; row++) {
                int at = row * count;
                for (int depth = 0; depth < 4; depth++) {
                    for (int place : slots.places()[row][depth]) {
                        int position = place + depth;
                        assertThat(positions[at]).isEqualTo(position);
                        assertThat(tokens[at])
                                .isEqualTo(
                                        depth > 0
                                                ? MASK
                                                : rows.tokens()[row * WIDTH + place + ahead]);
                        assertThat(truths[at]).isEqualTo(row * WIDTH + position + ahead);
                        int label = Math.min(position + ahead + 1, WIDTH - 1);
                        assertThat(learned[at] == 1).isEqualTo(rows.learned()[row * WIDTH + label]);
                        assertThat(seen(mask, at, slots, row)).isEqualTo(expected(place, depth));
                        at++;
                    }
                }
            }
        }
    }

    /// Otherwise a guess would not see rows that it sees when drafting.
    @Test
    void aDepthIsPractisedWhereAllShallowerOnesAre() {
        var slots = TrainingTimeTest.draw(rows(), PLAN, 1, 5);
        for (var row : slots.places()) {
            for (int depth = 1; depth < row.length; depth++) {
                assertThat(row[depth]).isSorted().doesNotHaveDuplicates();
                assertThat(row[depth - 1]).contains(row[depth]);
            }
        }
        assertThat(slots.places()[0][1]).isNotEqualTo(slots.places()[1][1]);
        assertThat(TrainingTimeTest.draw(rows(), PLAN, 1, 5).places()[0][1])
                .isEqualTo(slots.places()[0][1]);
        assertThat(TrainingTimeTest.draw(rows(), PLAN, 1, 6).places()[0][1])
                .isNotEqualTo(slots.places()[0][1]);
    }

    @Test
    void whatCannotBePractisedIsRefused() {
        assertThatThrownBy(() -> new DepthPlan(1, 0, 0.5, 0.1))
                .hasMessage("depths 1 must be between 2 and 64");
        assertThatThrownBy(() -> new DepthPlan(4, -1, 0.5, 0.1))
                .hasMessage("'maskToken' must be a token, got -1");
        assertThatThrownBy(() -> new DepthPlan(4, 0, 0, 0.1))
                .hasMessage("'retention' (0.0) and 'leastRetention' (0.1) must be in (0, 1]");
        assertThatThrownBy(() -> new DepthPlan(4, 0, 0.5, Double.NaN))
                .hasMessage("'retention' (0.5) and 'leastRetention' (NaN) must be in (0, 1]");
        assertThatThrownBy(() -> TrainingTimeTest.requireRoom(5, PLAN, 1))
                .hasMessage("rows of 5 tokens are too short for 4 depths");
    }

    /// Returns place and depth of each visible slot.
    private static Set<String> seen(float[] mask, int at, TrainingTimeTest slots, int row) {
        var seen = new HashSet<String>();
        int other = 0;
        for (int depth = 0; depth < 4; depth++) {
            for (int place : slots.places()[row][depth]) {
                if (mask[at * slots.slots() + other] == 0) {
                    seen.add(place + " " + depth);
                }
                other++;
            }
        }
        return seen;
    }

    private static Set<String> expected(int place, int depth) {
        var expected =
                IntStream.rangeClosed(0, place)
                        .mapToObj(before -> before + " 0")
                        .collect(Collectors.toSet());
        for (int shallower = 1; shallower <= depth; shallower++) {
            expected.add(place + " " + shallower);
        }
        return expected;
    }

    private static TokenRows rows() {
        var random = new SplittableRandom(3);
        long[] tokens = random.longs(ROWS * WIDTH, 0, 50).toArray();
        var learned = new boolean[tokens.length];
        Arrays.fill(learned, 7, learned.length, true);
        return new TokenRows(tokens, learned, ROWS);
    }
}
