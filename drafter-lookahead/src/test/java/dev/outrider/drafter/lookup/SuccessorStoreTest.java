package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessorStoreTest {
    @Test
    void aTokenThatIsPutFirstMovesTheOthersDown() {
        for (int width = 1; width <= 4; width++) {
            int[] row = {};
            List<Integer> twin = new ArrayList<>();
            for (int token : Noise.tokens(6, 600)) {
                int[] before = row.clone();
                int[] after = SuccessorStore.withFirst(row, token, width);
                twin.remove((Integer) token);
                twin.addFirst(token);
                if (twin.size() > width) {
                    twin.removeLast();
                }

                assertThat(after).containsExactly(twin.toArray(Integer[]::new));
                assertThat(row).describedAs("the row before").isEqualTo(before);
                row = after;
            }
        }
    }
}
