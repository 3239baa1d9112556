package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenRecyclingTest {
    private static final int VOCABULARY = 10;

    @Test
    void learnsFromRejectedNodesToo() {
        var rounds = rounds(false, 4);
        assertThat(rounds.tree()).isEqualTo(TokenTree.rootOnly(4));
        rounds.rejected(1, best(4, 5)); // after 4 come 4 and 5
        assertThat(rounds.tree()).isEqualTo(TokenTree.rootOnly(1));
        rounds.rejected(4, best(2, 3));

        // Nodes: root 4, its children 4 and 5, the grandchildren of the first. Nothing is accepted.
        assertThat(rounds.tree().tokens()).containsExactly(4, 4, 5, 4, 5);
        rounds.rejected(5, best(8, 9), best(6, 7), best(1, 2), best(6, 7), best(6, 7));

        assertThat(rounds.tree().tokens())
                .describedAs("5 was rejected, but what follows it was learnt")
                .startsWith(5, 1, 2);
    }

    @Test
    void ofEqualTokensTheShallowestThenTheFirstWrites() {
        var rounds = rounds(false, 4);
        rounds.rejected(4, best(4, 5));
        assertThat(rounds.tree().tokens()).containsExactly(4, 4, 5, 4, 5);
        rounds.rejected(4, best(0, 1), best(2, 3), best(6, 7), best(8, 9), best(8, 9));

        assertThat(rounds.tree().tokens())
                .describedAs("the root's row, not its child's, is what is known of 4")
                .startsWith(4, 0, 1);
    }

    @Test
    void thePromptFillsTheMatrixMostRecentFirst() {
        assertThat(rounds(true, 3, 5, 3, 6, 3).tree().tokens()).containsExactly(3, 6, 5, 3, 3);
    }

    @Test
    void sequencesThatFollowEachOtherAreRepeatableAndSequencesSideBySideAreSeparate() {
        var keeping = new RankedDrafting(12, 3, Optional.empty(), true, true);
        try (var one = drafter(keeping);
                var other = drafter(keeping)) {
            var first = drafts(one, 1);
            var second = drafts(one, 1);

            assertThat(second).describedAs("starts from what the first left").isNotEqualTo(first);
            assertThat(List.of(drafts(other, 1), drafts(other, 1)))
                    .isEqualTo(List.of(first, second));
        }
        try (var drafter = drafter(new RankedDrafting(12, 3, Optional.empty(), true, false))) {
            assertThat(drafts(drafter, 1)).isEqualTo(drafts(drafter, 1));
        }
    }

    @Test
    void atMostEightSuccessorsOfATokenAreKept() {
        var successors = new Successors(10);
        for (int token = 0; token < 1000; token++) {
            successors.saw(new int[] {token * 7 % 10}, token * 13 % 997);
        }

        for (int token = 0; token < 10; token++) {
            assertThat(successors.successors(new int[] {token})).hasSize(RankTree.MAX_RANKS);
        }
    }

    private static List<TokenTree> drafts(Drafter drafter, long seed) {
        var target = TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 3));
        var decoder =
                new Decoder(
                        target,
                        Optional.of(drafter),
                        new SampleAndMatchRule(),
                        FixedLength.drafterLimit(),
                        true,
                        () -> 0);
        List<TokenTree> drafts = new ArrayList<>();
        decoder.decode(
                DecodeRequest.of(new int[] {1, 2, 3}, 40, SamplingPolicy.atTemperature(1)),
                RandomnessSource.of(new KeyedRandomStreams(1, seed)),
                event -> {
                    if (event instanceof RoundCompleted round) {
                        drafts.add(round.draft().tree());
                    }
                },
                () -> false);
        return drafts;
    }

    private static ScriptedRounds rounds(boolean seedFromPrompt, int... prompt) {
        var twoByTwo = new TreePlan.LevelWidths(List.of(2, 2));
        var drafting = new RankedDrafting(1, 1, Optional.of(twoByTwo), seedFromPrompt, false);
        return new ScriptedRounds(drafter(drafting), VOCABULARY, prompt);
    }

    private static Drafter drafter(RankedDrafting drafting) {
        return new RankDrafter(
                new TokenRecyclingConfig(drafting).traits(), drafting, new Successors(VOCABULARY));
    }

    private static int[] best(int... tokens) {
        return tokens;
    }
}
