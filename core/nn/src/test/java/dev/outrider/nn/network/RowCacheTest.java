package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowCacheTest {
    private final Moves rows = new Moves(6);

    /// Remembers the last move.
    private static final class Moves extends RowCache {
        private String moved = "";

        Moves(int capacity) {
            super(capacity);
        }

        @Override
        protected void move(int[] kept, int destination) {
            moved = Arrays.toString(kept) + " to " + destination;
        }

        @Override
        public void close() {}
    }

    @Test
    void keptRowsMoveBehindTheCommittedOnesWithTheirPositions() {
        rows.append(new int[] {0, 1});
        rows.keep(List.of(0, 1), 2);
        assertThat(rows.moved).isEmpty();
        rows.append(new int[] {2, 3, 3, 4});
        rows.keep(List.of(0, 2, 3), 3);
        assertThat(rows.moved).isEqualTo("[2, 4, 5] to 2");
        assertThat(rows.length()).isEqualTo(5);
        assertThat(rows.used()).isEqualTo(5);
        assertThat(rows.position(3)).isEqualTo(3);
        assertThat(rows.position(4)).isEqualTo(4);
    }

    @Test
    void movesNoRowsThatLieInPlace() {
        rows.append(new int[] {0, 1, 2, 3});
        rows.keep(List.of(), 0);
        rows.append(new int[] {0, 1, 2, 3});
        rows.keep(List.of(0, 1), 1);
        assertThat(rows.moved).isEmpty();
        rows.keep(List.of(0), 0);
        rows.append(new int[] {2, 2});
        rows.keep(List.of(2), 1);
        assertThat(rows.moved).isEqualTo("[3] to 1");
    }

    @Test
    void truncateDropsScratchToo() {
        rows.append(new int[] {0, 1, 2});
        rows.keep(List.of(0, 1), 2);
        rows.append(new int[] {2});
        rows.truncate(1);
        assertThat(rows.length()).isEqualTo(1);
        assertThat(rows.used()).isEqualTo(1);
    }

    @Test
    void refusesRowsOutOfOrderOrRange() {
        rows.append(new int[] {0, 1, 2});
        assertThatThrownBy(() -> rows.keep(List.of(1, 1), 2))
                .hasMessage("scratch rows [1, 1] are not strictly ascending and below 3");
        assertThatThrownBy(() -> rows.keep(List.of(3), 1))
                .hasMessage("scratch rows [3] are not strictly ascending and below 3");
        assertThatThrownBy(() -> rows.truncate(1)).hasMessage("length 1 is not between 0 and 0");
        assertThatThrownBy(() -> rows.append(new int[4]))
                .hasMessage("4 rows do not fit: 3 of 6 are used");
    }

    @Test
    void keptRowsMayStayUndecided() {
        var rows = new Moves(8);
        rows.append(new int[] {0, 1, 1, 2, 2});

        rows.keep(List.of(0, 2, 4), 1);
        assertThat(rows.moved).isEqualTo("[0, 2, 4] to 0");
        assertThat(rows.length()).isEqualTo(1);
        assertThat(rows.used()).isEqualTo(3);
        assertThat(rows.position(2)).isEqualTo(2);
        assertThatThrownBy(() -> rows.keep(List.of(0), 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
