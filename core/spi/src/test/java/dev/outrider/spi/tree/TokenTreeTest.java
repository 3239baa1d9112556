package dev.outrider.spi.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TokenTreeTest {
    /// Root 9; children 4 and 5; 4 has children 6 and (unverified) 7; 5 has child 8.
    private static TokenTree bushy() {
        var builder = TokenTree.builder(9);
        int four = builder.add(0, 4);
        int five = builder.add(0, 5);
        builder.add(four, 6);
        builder.addUnverified(four, 7);
        builder.add(five, 8);
        return builder.build();
    }

    @Test
    void nodesKnowTheirParentDepthAndChildrenInDrawOrder() {
        var tree = bushy();

        assertThat(tree.size()).isEqualTo(6);
        assertThat(tree.draftedNodes()).isEqualTo(5);
        assertThat(tree.tokens()).containsExactly(9, 4, 5, 6, 7, 8);
        assertThat(tree.parent(0)).isEqualTo(-1);
        assertThat(tree.parent(5)).isEqualTo(2);
        assertThat(tree.depth(5)).isEqualTo(2);
        assertThat(tree.maxDepth()).isEqualTo(2);
        assertThat(tree.childCount(1)).isEqualTo(2);
        assertThat(tree.child(1, 0)).isEqualTo(3);
        assertThat(tree.child(1, 1)).isEqualTo(4);
        assertThat(tree.path(5)).containsExactly(0, 2, 5);
        assertThat(tree.isChain()).isFalse();
    }

    @Test
    void aBuilderCountsItsNodesAndTheRoot() {
        var builder = TokenTree.builder(9);
        assertThat(builder.size()).isEqualTo(1);
        builder.addUnverified(builder.add(0, 4), 5);

        assertThat(builder.size()).isEqualTo(3);
    }

    @Test
    void candidatesLeaveUnverifiedNodesOut() {
        assertThat(bushy().candidates(1)).containsExactly(3);
        assertThat(bushy().verified(4)).isFalse();
        assertThat(bushy().candidateNodes()).isEqualTo(4);
    }

    @Test
    void unverifiedNodesMayLieDeeperThanAnyCandidate() {
        var builder = TokenTree.builder(9);
        builder.add(0, 4);
        int window = builder.addUnverified(0, 5);
        builder.addUnverified(builder.addUnverified(window, 6), 7);
        var tree = builder.build();

        assertThat(tree.maxDepth()).isEqualTo(3);
        assertThat(tree.candidateDepth()).isEqualTo(1);
        assertThat(tree.candidateNodes()).isEqualTo(1);
        assertThat(TokenTree.rootOnly(1).candidateDepth()).isZero();
    }

    @Test
    void ancestryIsThePathRelation() {
        var tree = bushy();
        for (int node = 0; node < tree.size(); node++) {
            for (int other = 0; other < tree.size(); other++) {
                boolean onPath = false;
                for (int step : tree.path(node)) {
                    onPath |= step == other;
                }
                assertThat(tree.isAncestor(other, node)).isEqualTo(onPath);
            }
        }
    }

    @Test
    void aChainIsTheTreeWhoseParentsPrecedeDirectly() {
        var chain = TokenTree.chain(1, 2, 3);

        assertThat(chain.isChain()).isTrue();
        assertThat(chain.path(2)).containsExactly(0, 1, 2);
        assertThat(TokenTree.rootOnly(1).isChain()).isTrue();
        assertThat(TokenTree.rootOnly(1).maxDepth()).isZero();
    }

    @Test
    void treesAreValues() {
        assertThat(bushy()).isEqualTo(bushy()).hasSameHashCodeAs(bushy());
        assertThat(TokenTree.chain(1, 2)).isNotEqualTo(TokenTree.chain(1, 3));
        var siblings = TokenTree.builder(1);
        siblings.add(0, 2);
        siblings.add(0, 3);
        assertThat(siblings.build()).isNotEqualTo(TokenTree.chain(1, 2, 3));
        var scored = TokenTree.builder(1);
        scored.addUnverified(0, 2);
        assertThat(scored.build()).isNotEqualTo(TokenTree.chain(1, 2)).isNotEqualTo("a tree");
        assertThat(TokenTree.chain(1, 2)).hasToString("TokenTree[tokens=[1, 2], parents=[-1, 0]]");
    }

    @Test
    void distinctNodesShareWhatEqualGuessesBeginWith() {
        var builder = TokenTree.builder(9);
        builder.addUnverified(0, 4);
        for (int[] guess : new int[][] {{4, 5, 6}, {4, 5, 7}, {5, 5, 6}, {4, 5, 6}}) {
            int parent = 0;
            for (int token : guess) {
                parent = builder.addDistinct(parent, token);
            }
        }
        var tree = builder.build();

        assertThat(tree.tokens()).containsExactly(9, 4, 4, 5, 6, 7, 5, 5, 6);
        assertThat(tree.candidates(0)).containsExactly(2, 6);
        assertThat(tree.candidates(3)).containsExactly(4, 5);
        assertThat(tree.path(8)).containsExactly(0, 6, 7, 8);
    }

    @Test
    void rejectsTreeWhoseParentComesLater() {
        assertThatThrownBy(() -> TokenTree.builder(0).add(1, 5))
                .hasMessage("parent 1 of node 1 does not exist yet");
        assertThatThrownBy(() -> TokenTree.builder(0).addUnverified(2, 5))
                .hasMessage("parent 2 of node 1 does not exist yet");
        assertThatThrownBy(() -> TokenTree.builder(0).add(-1, 5))
                .hasMessage("parent -1 of node 1 does not exist yet");
    }

    @Test
    void rejectsVerifiedNodeUnderUnverifiedParent() {
        var builder = TokenTree.builder(0);
        int window = builder.addUnverified(0, 1);

        assertThatThrownBy(() -> builder.add(window, 2))
                .hasMessage("node under unverified parent 1 cannot be verified");
    }

    @Test
    void rejectsNegativeTokens() {
        assertThatThrownBy(() -> TokenTree.rootOnly(-1)).hasMessage("token -1 is negative");
    }

    @Test
    void aPartIsTheTreeOfItsNodes() {
        var tree = bushy();

        var part = tree.part(List.of(1, 3, 4));
        assertThat(part.tokens()).containsExactly(4, 6, 7);
        assertThat(part.parent(2)).isZero();
        assertThat(part.verified(1)).isTrue();
        assertThat(part.verified(2)).isFalse();
        assertThat(tree.part(List.of(0, 1, 2, 3, 4, 5))).isEqualTo(tree);
        for (var wrong :
                List.of(
                        List.<Integer>of(),
                        List.of(1, 2),
                        List.of(0, 3),
                        List.of(0, 1, 1),
                        List.of(0, 3, 1),
                        List.of(1, 0),
                        List.of(0, 6))) {
            assertThatThrownBy(() -> tree.part(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aTreeStartsWithItsFirstNodes() {
        var tree = TokenTree.chain(9, 1, 2);

        assertThat(tree.startsWith(TokenTree.chain(9, 1))).isTrue();
        assertThat(tree.startsWith(tree)).isTrue();
        assertThat(tree.startsWith(TokenTree.chain(9, 2))).isFalse();
        assertThat(tree.startsWith(TokenTree.chain(9, 1, 2, 3))).isFalse();
        assertThat(TokenTree.rootOnly(8).startsWith(TokenTree.rootOnly(9))).isFalse();
        var siblings = TokenTree.builder(9);
        siblings.add(0, 1);
        siblings.add(0, 2);
        assertThat(siblings.build().startsWith(tree)).isFalse();
        var scored = TokenTree.builder(9);
        scored.addUnverified(0, 1);
        assertThat(scored.build().startsWith(TokenTree.chain(9, 1))).isFalse();
    }
}
