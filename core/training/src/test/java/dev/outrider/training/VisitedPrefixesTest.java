package dev.outrider.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.training.VisitedText.VisitedPrefixes;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What rounds visit, round by round.
class VisitedPrefixesTest {

    private final VisitedPrefixes visits = new VisitedPrefixes(10, 11, 12);

    @Test
    void aRejectedGuessStaysWhereMoreWasDrawnBelowIt() {
        judged(visits, TokenTree.chain(12, 20, 21, 22), 30, 1);
        judged(visits, TokenTree.chain(30, 40), 41, 1);
        judged(visits, TokenTree.chain(41, 50, 51), 60);

        var text = visits.text();
        assertThat(text.tree().tokens()).containsExactly(10, 11, 12, 20, 21, 30, 40, 41, 50, 60);
        assertThat(parents(text)).containsExactly(-1, 0, 1, 2, 3, 3, 5, 6, 7, 7);
        assertThat(text.visited().stream()).containsExactly(2, 3, 4, 5, 7, 8);
    }

    @Test
    void ofATreeEveryNodeWithGuessesIsVisited() {
        var tree = TokenTree.builder(12);
        int left = tree.add(0, 20);
        int right = tree.add(0, 21);
        tree.add(left, 22);
        int leaf = tree.add(right, 23);
        tree.addUnverified(leaf, 24);
        judged(visits, tree.build(), 30, right, leaf);

        var text = visits.text();
        assertThat(text.tree().tokens()).containsExactly(10, 11, 12, 20, 21, 23, 30);
        assertThat(parents(text)).containsExactly(-1, 0, 1, 2, 2, 4, 5);
        assertThat(text.visited().stream()).containsExactly(2, 3, 4);
    }

    @Test
    void aRoundWithoutGuessesVisitsNothing() {
        judged(visits, TokenTree.rootOnly(12), 13);
        assertThat(visits.text().visited().isEmpty()).isTrue();
    }

    private void judged(VisitedPrefixes listener, TokenTree tree, int next, Integer... accepted) {
        var verdict = new Verdict(List.of(accepted), next, Verdict.Origin.CORRECTION);
        var draft = new Draft(tree, new Selection.PointMass());
        listener.add(draft, verdict);
    }

    private static int[] parents(VisitedText text) {
        var parents = new int[text.tree().size()];
        for (int node = 0; node < parents.length; node++) {
            parents[node] = text.tree().parent(node);
        }
        return parents;
    }
}
