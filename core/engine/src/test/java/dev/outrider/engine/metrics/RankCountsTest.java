package dev.outrider.engine.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

class RankCountsTest {
    private final RankCounts counts = new RankCounts(2);

    @Test
    void everyAcceptedNodeWithChildrenIsVisitedOnce() {
        round(1, 4); // rank 0, then rank 1
        round(2); // rank 1, which has no children
        round(); // none
        round(1); // rank 0, then none

        assertThat(counts.visited(0)).isEqualTo(4);
        assertThat(counts.acceptance(0).rates()).containsExactly(0.5, 0.25);
        assertThat(counts.visited(1)).isEqualTo(2);
        assertThat(counts.acceptance(1).rates()).containsExactly(0.0, 0.5);
        assertThat(counts.depths()).isEqualTo(2);
        assertThat(counts.visited()).isEqualTo(6);
        assertThat(counts.acceptance().rates()).containsExactly(2 / 6.0, 2 / 6.0);
    }

    @Test
    void childrenThatCannotBeAcceptedAreNotCountedAmongSiblings() {
        var tree = TokenTree.builder(0);
        tree.addUnverified(0, 5);
        int second = tree.add(0, 6);
        observe(tree.build(), List.of(second));

        assertThat(counts.acceptance(0).rates()).containsExactly(1.0, 0.0);
    }

    @Test
    void laterRanksCountAsNone() {
        var tree = TokenTree.builder(0);
        tree.add(0, 1);
        tree.add(0, 2);
        int third = tree.add(0, 3);
        observe(tree.build(), List.of(third));

        assertThat(counts.acceptance().rates()).containsExactly(0.0, 0.0);
        assertThat(counts.visited()).isEqualTo(1);
    }

    @Test
    void plainRoundsSayNothing() {
        observe(TokenTree.rootOnly(3), List.of());

        assertThat(counts.visited()).isZero();
        assertThatThrownBy(counts::acceptance)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no node with children was visited");
    }

    /// A round over a tree with children 1, 2 of the root and 3, 4 of node 1.
    private void round(Integer... accepted) {
        var tree = TokenTree.builder(0);
        tree.add(0, 1);
        tree.add(0, 2);
        tree.add(1, 3);
        tree.add(1, 4);
        observe(tree.build(), List.of(accepted));
    }

    private void observe(TokenTree tree, List<Integer> accepted) {
        counts.onEvent(
                new RoundCompleted(
                        0,
                        new Draft(tree, new Selection.PointMass()),
                        new Verdict(accepted, 7, Origin.CORRECTION),
                        accepted.size() + 1,
                        new StageTimes(0, 0, 0, 0, 0, 0)));
    }
}
