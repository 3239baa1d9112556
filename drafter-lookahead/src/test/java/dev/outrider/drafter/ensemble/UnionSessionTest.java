package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Draft.Contribution;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Guesses of several drafters share one tree, and each drafter observes the result of its own.
class UnionSessionTest {
    private final Diary first = new Diary();
    private final Diary second = new Diary();
    private final Diary third = new Diary();

    @Test
    void whatSeveralGuessIsOneNode() {
        var draft = proposed(16, List.of(7, 8), List.of(7, 5, 6), List.of());

        var tree = TokenTree.builder(2);
        int seven = tree.add(0, 7);
        tree.add(seven, 8);
        tree.add(tree.add(seven, 5), 6);
        assertThat(draft.tree()).isEqualTo(tree.build());
        assertThat(draft.selection()).isEqualTo(new Selection.PointMass());
        assertThat(draft.contributions())
                .containsExactly(
                        new Contribution("first", List.of(1, 2)),
                        new Contribution("second", List.of(1, 3, 4)),
                        new Contribution("third", List.of()));
    }

    @Test
    void laterOnesGetWhatIsLeftOfTheNodes() {
        var draft = proposed(4, List.of(7, 8, 9), List.of(7, 5), List.of(4));

        assertThat(first.budgets).containsExactly(4);
        assertThat(second.budgets).containsExactly(1);
        assertThat(third.budgets).containsExactly(1);
        assertThat(draft.tree().draftedNodes()).isEqualTo(4);
    }

    @Test
    void theUnionsOwnLimitHoldsToo() {
        var union = union(2);
        first.guess = List.of(7, 8, 9);
        begin(union);

        assertThat(union.propose(new DraftBudget(9, 9), new NoRandomness()).tree())
                .isEqualTo(TokenTree.chain(2, 7, 8));
        assertThat(second.budgets).containsExactly(0);
    }

    @Test
    void eachLearnsWhatBecameOfItsOwnGuessesAndFollowsTheRest() {
        var union = union(16);
        first.guess = List.of(7, 8);
        second.guess = List.of(7, 5, 6);
        begin(union);
        var draft = union.propose(new DraftBudget(16, 16), new NoRandomness());

        union.observe(
                draft,
                new Verdict(List.of(1, 3, 4), 9, Verdict.Origin.BONUS),
                new NumberedScores(5));

        assertThat(first.seen)
                .containsExactly("[1] 5 of 3 nodes", "[] 6 at node 3", "[] 9 at node 4");
        assertThat(second.seen).containsExactly("[1, 2, 3] 9 of 4 nodes");
        assertThat(third.seen)
                .containsExactly(
                        "[] 7 at node 0", "[] 5 at node 1", "[] 6 at node 3", "[] 9 at node 4");
        assertThat(List.of(first.root, second.root, third.root)).containsOnly(9);
    }

    @Test
    void aGuessThatOnlyAnotherOneHadIsACorrectionToThoseThatGuessedOtherwise() {
        var union = union(16);
        first.guess = List.of(7);
        second.guess = List.of(5);
        begin(union);
        var draft = union.propose(new DraftBudget(16, 16), new NoRandomness());

        union.observe(
                draft, new Verdict(List.of(2), 9, Verdict.Origin.BONUS), new NumberedScores(3));

        assertThat(first.origins).containsExactly(Verdict.Origin.CORRECTION, Verdict.Origin.BONUS);
        assertThat(second.origins).containsExactly(Verdict.Origin.BONUS);
    }

    private Draft proposed(int nodes, List<Integer> one, List<Integer> two, List<Integer> three) {
        var union = union(16);
        first.guess = one;
        second.guess = two;
        third.guess = three;
        begin(union);
        return union.propose(new DraftBudget(nodes, nodes), new NoRandomness());
    }

    private DraftSession union(int totalNodes) {
        return new UnionSession(
                List.of(first, second, third), List.of("first", "second", "third"), totalNodes);
    }

    private static void begin(DraftSession union) {
        union.begin(new int[] {1, 2}, new NumberedScores(0));
    }
}
