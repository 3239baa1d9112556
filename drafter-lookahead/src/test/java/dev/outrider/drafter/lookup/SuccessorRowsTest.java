package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessorRowsTest {
    private static final int ROWS = 5;

    @Test
    void everyRowIsAListOfItsOwn() {
        for (int width = 1; width <= 4; width++) {
            var rows = new SuccessorRows(ROWS, width);
            List<List<Integer>> twin = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                twin.add(new ArrayList<>());
            }
            for (int drawn : Noise.tokens(ROWS * 6, 600)) {
                int row = drawn / 6;
                int token = drawn % 6;
                rows.putFirst(row, token);
                putFirst(twin.get(row), token, width);

                for (int each = 0; each < ROWS; each++) {
                    assertThat(rows.successors(each))
                            .containsExactly(twin.get(each).toArray(Integer[]::new));
                }
            }
        }
    }

    @Test
    void aRowThatIsReplacedKeepsNothing() {
        var rows = new SuccessorRows(2, 3);
        rows.replace(1, 4, 5, 6);
        rows.replace(1, 7);

        assertThat(rows.successors(1)).containsExactly(7);
        assertThat(rows.successors(0)).isEmpty();
    }

    @Test
    void rowsThatComeLaterKnowNothing() {
        var rows = new SuccessorRows(1, 2);
        rows.putFirst(0, 9);
        rows.growTo(3);
        rows.growTo(2);

        assertThat(rows.successors(0)).containsExactly(9);
        assertThat(rows.successors(2)).isEmpty();
        assertThat(rows.bytes()).isEqualTo(3 * 2 * 4);
    }

    @Test
    void aCopyGoesItsOwnWay() {
        var rows = new SuccessorRows(1, 2);
        rows.putFirst(0, 9);
        var copy = rows.copy();
        copy.putFirst(0, 8);

        assertThat(rows.successors(0)).containsExactly(9);
        assertThat(copy.successors(0)).containsExactly(8, 9);
    }

    private static void putFirst(List<Integer> row, Integer token, int width) {
        row.remove(token);
        row.addFirst(token);
        if (row.size() > width) {
            row.removeLast();
        }
    }
}
