package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CacheRowsTest {
    private final CacheRows rows = new CacheRows(6);

    @Test
    void keptRowsMoveBehindTheCommittedOnesWithTheirPositions() {
        rows.append(new int[] {0, 1});
        assertThat(rows.keep(List.of(0, 1), 2)).containsExactly(0, 1);
        rows.append(new int[] {2, 3, 3, 4});
        assertThat(rows.keep(List.of(0, 2, 3), 3)).containsExactly(2, 4, 5);
        assertThat(rows.length()).isEqualTo(5);
        assertThat(rows.used()).isEqualTo(5);
        assertThat(rows.position(3)).isEqualTo(3);
        assertThat(rows.position(4)).isEqualTo(4);
    }

    @Test
    void knowsWhetherRowsLieInPlace() {
        assertThat(CacheRows.inPlace(new int[] {2, 3}, 2)).isTrue();
        assertThat(CacheRows.inPlace(new int[] {}, 2)).isTrue();
        assertThat(CacheRows.inPlace(new int[] {2, 4}, 2)).isFalse();
        assertThat(CacheRows.inPlace(new int[] {3}, 2)).isFalse();
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
        var rows = new CacheRows(8);
        rows.append(new int[] {0, 1, 1, 2, 2});

        assertThat(rows.keep(List.of(0, 2, 4), 1)).containsExactly(0, 2, 4);
        assertThat(rows.length()).isEqualTo(1);
        assertThat(rows.used()).isEqualTo(3);
        assertThat(rows.position(2)).isEqualTo(2);
        assertThatThrownBy(() -> rows.keep(List.of(0), 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
