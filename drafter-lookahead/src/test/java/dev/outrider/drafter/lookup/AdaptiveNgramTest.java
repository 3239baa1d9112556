package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Tests sequences that draft from the store.
class AdaptiveNgramTest {
    private static final int VOCABULARY = 10;
    private static final TreePlan CHAIN = new TreePlan.Chain(3);
    private static final TreePlan TWO_BY_ONE = new TreePlan.LevelWidths(List.of(2, 1));

    @Test
    void thePromptIsContinuedByItsLongestContext() {
        try (var rounds = rounds(drafter(3, 2, 0, CHAIN, true), 1, 2, 5, 7, 2, 6, 9, 1, 2)) {
            assertThat(rounds.tree()).isEqualTo(TokenTree.chain(2, 5, 7, 2));
        }
        try (var rounds = rounds(drafter(2, 2, 0, CHAIN, true), 1, 2, 5, 7, 2, 6, 9, 1, 2)) {
            assertThat(rounds.tree())
                    .describedAs("of one token, the latest place")
                    .isEqualTo(TokenTree.chain(2, 6, 9, 1));
        }
    }

    @Test
    void aPromptThatIsNotLearntIsStillTheContextOfTheFirstDraft() {
        try (var rounds = rounds(drafter(3, 2, 1, CHAIN, false), 1, 2, 5, 1, 2)) {
            assertThat(rounds.tree()).isEqualTo(TokenTree.rootOnly(2));
            rounds.rejected(1, best(8)); // after 1 2 comes 8
            rounds.rejected(2, best(2)); // after 2 1 comes 2
            assertThat(rounds.tree())
                    .describedAs("what came, 1, and not the best token, 8, was learnt last")
                    .isEqualTo(TokenTree.chain(2, 1, 2, 1));
        }
    }

    @Test
    void whatIsWrittenIsLearntWithoutScores() {
        try (var rounds = rounds(drafter(3, 3, 0, CHAIN, true), 4, 5)) {
            assertThat(rounds.tree()).isEqualTo(TokenTree.rootOnly(5));
            rounds.rejected(6, best(9));
            rounds.rejected(4, best(9));
            rounds.rejected(5, best(9));
            assertThat(rounds.tree()).isEqualTo(TokenTree.chain(5, 6, 4, 5));
            rounds.observed(new Verdict(List.of(1, 2), 7, Verdict.Origin.CORRECTION), rows(4));
            assertThat(rounds.tree()).isEqualTo(TokenTree.rootOnly(7));
        }
    }

    @Test
    void rejectedNodesTeachWhatFollowsTheirPath() {
        try (var rounds = rounds(drafter(3, 3, 1, TWO_BY_ONE, true), 1, 2, 3, 1, 2, 4, 1, 2)) {
            // After 1 2 came 4 and 3, after 2 4 came 1, after 2 3 came 1.
            assertThat(rounds.tree().tokens()).containsExactly(2, 4, 3, 1, 1);
            rounds.rejected(3, best(5), best(6), best(7), best(8), best(9));
            // 3 was rejected, and came later: the successors of 2 3 and 3 1 were learned.
            assertThat(rounds.tree().tokens()).containsExactly(3, 7, 1, 9);
        }
    }

    @Test
    void whereContextsEndAlikeTheShallowestNodeHasTheLastWord() {
        try (var rounds = rounds(drafter(2, 2, 1, TWO_BY_ONE, true), 4, 4)) {
            assertThat(rounds.tree().tokens()).containsExactly(4, 4, 4);
            rounds.rejected(4, best(5), best(6), best(7));
            assertThat(rounds.tree().tokens())
                    .describedAs("4 came, and the root's best token was 5")
                    .containsExactly(4, 4, 5, 4);
        }
        try (var rounds = rounds(drafter(3, 2, 1, TWO_BY_ONE, true), 4, 4, 7, 4)) {
            assertThat(rounds.tree().tokens()).containsExactly(4, 7, 4, 4, 7);
            // After 7 4 the best token is 5, after 4 4 it is 8; after 4 alone it is that of the
            // root.
            rounds.rejected(1, best(5), best(6), best(8), best(9), best(3));
            rounds.rejected(2, best(0));
            rounds.rejected(4, best(0));
            assertThat(rounds.tree().tokens())
                    .describedAs("2 4 is new; after 4 came 1, and the root's best token was 5")
                    .startsWith(4, 1, 5);
        }
    }

    @Test
    void aSequenceStartsFromWhatTheLastOneLeftOnlyIfItIsAskedTo() {
        for (boolean keeps : new boolean[] {true, false}) {
            var drafting = new RankedDrafting(1, 1, Optional.of(CHAIN), true, keeps);
            try (var drafter = drafter(3, 2, 1, drafting)) {
                var open = rounds(drafter, 5, 6, 7);
                rounds(drafter, 1, 2, 3).close();
                var next = rounds(drafter, 1);
                assertThat(next.tree())
                        .isEqualTo(keeps ? TokenTree.chain(1, 2, 3) : TokenTree.rootOnly(1));
                next.close();
                open.close();
                next.close();
                assertThat(rounds(drafter, 5).tree())
                        .describedAs("the first close of the last to close counts")
                        .isEqualTo(keeps ? TokenTree.chain(5, 6, 7) : TokenTree.rootOnly(5));
            }
        }
    }

    private static Drafter drafter(
            int maxOrder, int minOrder, int topK, TreePlan plan, boolean seedFromPrompt) {
        var drafting = new RankedDrafting(1, 1, Optional.of(plan), seedFromPrompt, false);
        return drafter(maxOrder, minOrder, topK, drafting);
    }

    private static Drafter drafter(int maxOrder, int minOrder, int topK, RankedDrafting drafting) {
        var config = new AdaptiveNgramConfig(maxOrder, minOrder, topK, 1000, drafting);
        var target = TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 1));
        return LookupPlugin.ADAPTIVE_NGRAM.create(config, () -> target);
    }

    private static ScriptedRounds rounds(Drafter drafter, int... prompt) {
        return new ScriptedRounds(drafter, VOCABULARY, prompt);
    }

    private static int[] best(int... tokens) {
        return tokens;
    }

    private static int[][] rows(int count) {
        var rows = new int[count][];
        for (int row = 0; row < count; row++) {
            rows[row] = best(9);
        }
        return rows;
    }
}
