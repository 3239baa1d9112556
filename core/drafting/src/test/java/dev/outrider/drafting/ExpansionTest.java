package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.Draft;
import dev.outrider.spi.Selection;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExpansionTest {
    private final Expansion chain =
            new Expansion(
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
