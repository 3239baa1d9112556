package dev.outrider.drafter.ensemble;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.ensemble.ChoiceSession.Chooser;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.DraftSession.TimedDrafting;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every drafter of a choice observes every token, no matter which drafter drafted it.
class ChoiceSessionTest {
    private static final int NO_PART = 2;

    private final Diary first = new Diary();
    private final Diary second = new Diary();
    private final Scripted chooser = new Scripted();
    private final DraftSession choice =
            new ChoiceSession(List.of(first, second), List.of("first", "second"), chooser);

    /// Makes given choices.
    private static final class Scripted implements Chooser {
        private final List<String> seen = new ArrayList<>();
        private int part;
        private int asked;

        @Override
        public int next() {
            asked++;
            return part;
        }

        @Override
        public String reason() {
            return "because";
        }

        @Override
        public void observe(int tokens, double nanos) {
            seen.add("%d tokens in %.0f".formatted(tokens, nanos));
        }
    }

    @Test
    void onlyTheChosenOneIsAsked() {
        begin();
        first.guess = List.of(5);
        second.guess = List.of(7, 8);
        chooser.part = 1;

        var draft = propose(4);

        assertThat(draft.tree()).isEqualTo(TokenTree.chain(2, 7, 8));
        assertThat(first.budgets).isEmpty();
        assertThat(draft.drafter()).isEqualTo("second");
    }

    @Test
    void theOthersFollowTokenByTokenWithTheScoresOfThatToken() {
        begin();
        second.guess = List.of(7, 8);
        chooser.part = 1;
        var draft = propose(4);

        choice.observe(
                draft, new Verdict(List.of(1, 2), 9, Verdict.Origin.BONUS), new NumberedScores(3));

        assertThat(second.seen).containsExactly("[1, 2] 9 of 3 nodes");
        assertThat(first.seen)
                .containsExactly("[] 7 at node 0", "[] 8 at node 1", "[] 9 at node 2");
        assertThat(first.budgets).containsExactly(0, 0, 0);
        assertThat(List.of(first.root, second.root)).containsOnly(9);
    }

    @Test
    void whereNobodyIsChosenAllFollowAndTheRoundSaysSo() {
        begin();
        chooser.part = NO_PART;

        var draft = propose(4);
        choice.observe(
                draft, new Verdict(List.of(), 5, Verdict.Origin.BONUS), new NumberedScores(1));

        assertThat(draft.tree()).isEqualTo(TokenTree.rootOnly(2));
        assertThat(draft.drafter()).isEqualTo("plain");
        assertThat(List.of(first.root, second.root)).containsOnly(5);
        assertThat(propose(4).tree().token(0)).isEqualTo(5);
    }

    @Test
    void eachRoundSaysWhyAndOfWhom() {
        begin();
        chooser.part = 1;
        var drafted = propose(4).reason();
        chooser.part = NO_PART;
        var plain = propose(4).reason();

        assertThat(List.of(drafted, plain, propose(0).reason()))
                .containsExactly("because: second", "because: plain", "");
    }

    @Test
    void roundsTeachWhatTheyGaveAndTook() {
        begin();
        first.guess = List.of(5);
        var draft = propose(4);
        choice.observe(
                draft, new Verdict(List.of(1), 9, Verdict.Origin.BONUS), new NumberedScores(2));
        ((TimedDrafting) choice).onRoundTime(70);

        assertThat(chooser.seen).containsExactly("2 tokens in 70");
    }

    @Test
    void aClockThatStandsStillTeachesNothing() {
        begin();
        var draft = propose(4);
        choice.observe(
                draft, new Verdict(List.of(), 9, Verdict.Origin.BONUS), new NumberedScores(1));
        ((TimedDrafting) choice).onRoundTime(0);

        assertThat(chooser.seen).isEmpty();
    }

    @Test
    void aRoundWithoutRoomIsNoChoice() {
        begin();

        var draft = propose(0);
        choice.observe(
                draft, new Verdict(List.of(), 5, Verdict.Origin.BONUS), new NumberedScores(1));
        ((TimedDrafting) choice).onRoundTime(70);

        assertThat(chooser.asked).isZero();
        assertThat(chooser.seen).isEmpty();
        assertThat(List.of(first.root, second.root)).containsOnly(5);
    }

    private Draft propose(int nodes) {
        return choice.propose(new DraftBudget(nodes, nodes), new NoRandomness());
    }

    private void begin() {
        choice.begin(new int[] {1, 2}, new NumberedScores(0));
    }
}
