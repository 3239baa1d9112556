package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.spi.draft.TreePlan;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankTreeTest {
    @Test
    void eightyNodesHaveNearlyThePublishedLevels() {
        assertThat(levels(RankTree.grown(80, 6))).containsExactly(8, 21, 25, 14, 11, 1);
    }

    @Test
    void everyPrefixIsATreeAndRanksOfSiblingsAscend() {
        var tree = RankTree.grown(80, 6);
        for (int node = 0; node < tree.size(); node++) {
            int parent = tree.parents().get(node);
            int rank = tree.ranks().get(node);
            assertThat(parent).isLessThan(node);
            assertThat(tree.depths().get(node))
                    .isEqualTo(parent < 0 ? 1 : tree.depths().get(parent) + 1);
            var elder =
                    IntStream.range(0, node)
                            .filter(other -> tree.parents().get(other) == parent)
                            .map(other -> tree.ranks().get(other))
                            .toArray();
            assertThat(elder).hasSize(rank);
        }
        assertThat(RankTree.grown(20, 6).ranks()).isEqualTo(tree.ranks().subList(0, 20));
    }

    @Test
    void aNarrowLimitGivesAsManyNodesAsThereAre() {
        assertThat(RankTree.grown(500, 1).size()).isEqualTo(8);
        assertThat(RankTree.grown(1, 6).isChain()).isTrue();
    }

    @Test
    void plansByRankAreTaken() {
        assertThat(RankTree.of(new TreePlan.Chain(3)).isChain()).isTrue();
        assertThat(levels(RankTree.of(new TreePlan.LevelWidths(List.of(3, 2)))))
                .containsExactly(3, 6);
        var paths =
                RankTree.of(new TreePlan.RankPaths(List.of(List.of(1, 0), List.of(1), List.of(0))));
        assertThat(paths.ranks()).containsExactly(0, 1, 0);
        assertThat(paths.parents()).containsExactly(-1, -1, 1);
    }

    @Test
    void plansThatDrawOrSearchOrNeedMoreRanksAreRefused() {
        assertThatThrownBy(() -> RankTree.of(new TreePlan.Dynamic(2, 3, 4)))
                .hasMessage(
                        "tree 'dynamic' cannot be used: successors are remembered by rank; expected chain, level-widths or"
                                + " rank-paths");
        assertThatThrownBy(() -> RankTree.of(new TreePlan.LevelWidths(List.of(9))))
                .hasMessage("tree has a node of rank 8, but only ranks 0 to 7 are remembered");
    }

    private static int[] levels(RankTree tree) {
        return IntStream.rangeClosed(1, tree.depth())
                .map(depth -> (int) tree.depths().stream().filter(at -> at == depth).count())
                .toArray();
    }
}
