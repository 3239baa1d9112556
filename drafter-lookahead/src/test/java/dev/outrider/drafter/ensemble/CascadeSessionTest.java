package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every drafter of a cascade observes every token, no matter which drafter drafted it.
class CascadeSessionTest {
    private final Diary first = new Diary();
    private final Diary second = new Diary();
    private final Diary third = new Diary();
    private final DraftSession cascade =
            new CascadeSession(List.of(first, second, third), List.of("first", "second", "third"));

    @Test
    void theFirstThatProposesDraftsAndLaterOnesAreNotAsked() {
        begin();
        second.guess = List.of(7, 8);

        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());

        assertThat(draft.tree()).isEqualTo(TokenTree.chain(2, 7, 8));
        assertThat(third.budgets).isEmpty();
        assertThat(draft.drafter()).isEqualTo("second");
    }

    @Test
    void theOthersFollowTokenByTokenWithTheScoresOfThatToken() {
        begin();
        second.guess = List.of(7, 8);
        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());

        cascade.observe(
                draft, new Verdict(List.of(1, 2), 9, Verdict.Origin.BONUS), new NumberedScores(3));

        assertThat(second.seen).containsExactly("[1, 2] 9 of 3 nodes");
        assertThat(first.seen)
                .containsExactly("[] 7 at node 0", "[] 8 at node 1", "[] 9 at node 2");
        assertThat(third.seen).isEqualTo(first.seen);
        assertThat(first.budgets).containsExactly(4, 0, 0);
        assertThat(third.budgets).containsExactly(0, 0, 0);
        assertThat(List.of(first.root, second.root, third.root)).containsOnly(9);
    }

    @Test
    void whenNobodyProposesTheDraftIsEmptyAndAllGoOn() {
        begin();

        var draft = cascade.propose(new DraftBudget(4, 4), new NoRandomness());
        assertThat(draft.tree()).isEqualTo(TokenTree.rootOnly(2));
        cascade.observe(
                draft, new Verdict(List.of(), 5, Verdict.Origin.BONUS), new NumberedScores(1));

        assertThat(List.of(first.root, second.root, third.root)).containsOnly(5);
    }

    @Test
    void observingWithoutADraftIsRefused() {
        begin();

        assertThatThrownBy(() ->
                        cascade.observe(
                                Draft.empty(2),
                                new Verdict(List.of(), 5, Verdict.Origin.BONUS),
                                new NumberedScores(1)))
                .isInstanceOf(IllegalStateException.class);
    }

    private void begin() {
        cascade.begin(new int[] {1, 2}, new NumberedScores(0));
    }
}
