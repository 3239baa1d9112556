package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class DraftWithRowsTest {
    private final DraftWithRows chain =
            new DraftWithRows(
                    new Draft(TokenTree.chain(9, 1, 2, 3), new Selection.PointMass()),
                    new int[] {-1, 0, 1, -1});

    @Test
    void fullAcceptanceLeavesTheCacheOneTokenShort() {
        assertThat(chain.acceptedRows(verdict(1, 2, 3))).containsExactly(0, 1);
    }

    @Test
    void partialAcceptanceKeepsThePath() {
        assertThat(chain.acceptedRows(verdict(1))).containsExactly(0);
        assertThat(chain.acceptedRows(verdict())).isEmpty();
    }

    private static Verdict verdict(Integer... nodes) {
        return new Verdict(List.of(nodes), 5, Verdict.Origin.BONUS);
    }
}
