package dev.outrider.engine.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DrafterTraits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetsTest {
    @ParameterizedTest
    @CsvSource({
        "9, 9, 9, 5",
        "3, 9, 9, 3",
        "9, 2, 9, 2",
        "9, 9, 4, 4",
        "9, 0, 9, 0",
        "9, 9, -1, 0"
    })
    void aChainHasANodeForEachDepth(int wanted, int useful, int rows, int nodes) {
        assertThat(Budgets.of(DrafterTraits.chain(5), wanted, useful, rows))
                .isEqualTo(new DraftBudget(nodes, nodes));
    }

    @ParameterizedTest
    @CsvSource({"9, 9, 99, 20, 5", "2, 9, 99, 20, 2", "9, 9, 7, 7, 5", "9, 0, 99, 0, 0"})
    void aTreeHasAllNodesThatThereIsRoomFor(
            int wanted, int useful, int rows, int nodes, int depth) {
        assertThat(Budgets.of(DrafterTraits.tree(20, 5), wanted, useful, rows))
                .isEqualTo(new DraftBudget(nodes, depth));
    }
}
