package dev.outrider.drafter.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Sampled output has the target's distribution, by enumeration through the real loop.
class LookaheadExactnessTest {
    private static final int[] PROMPT = {0, 1, 2, 0, 1, 0, 2, 0};
    private static final SamplingPolicy WARM = SamplingPolicy.atTemperature(1);

    @Test
    void sampledOutputHasTheTargetsDistributionForEverySmallSetting() {
        for (var style :
                List.of(
                        DistributionStyle.DENSE,
                        DistributionStyle.ZEROS,
                        DistributionStyle.NEAR_TIES)) {
            var table = TableModel.random(3, style, 8);
            var target = TableTarget.of(table);
            for (int level = 2; level <= 3; level++) {
                for (int window = 1; window <= 3; window++) {
                    var config = new LookaheadConfig(window, level, 2, true, 1);
                    var decoder = Decoding.with(target, LookaheadSession.drafter(config, Set.of()));

                    ExactDistribution.assertExact(decoder, table, WARM, PROMPT, 3, 6);
                }
            }
        }
    }

    @Test
    void sampledOutputOfJacobiDecodingHasTheTargetsDistribution() {
        for (var style : List.of(DistributionStyle.DENSE, DistributionStyle.ZEROS)) {
            var table = TableModel.random(3, style, 8);
            var decoder =
                    Decoding.with(
                            TableTarget.of(table),
                            JacobiSession.drafter(new JacobiConfig(3, false, 1), Set.of()));

            ExactDistribution.assertExact(decoder, table, WARM, PROMPT, 3, 6);
        }
    }

    @Test
    void guessesThatBeginAlikeOrOccurTwiceAreJudgedExactly() {
        var table = TableModel.random(3, DistributionStyle.DENSE, 3);
        int[][] guesses = {{1, 2}, {1, 0}, {1, 2}, {2, 2}, {1, 1}};
        for (boolean merged : new boolean[] {true, false}) {
            var decoder =
                    Decoding.with(TableTarget.of(table), new GuessList(List.of(guesses), merged));

            ExactDistribution.assertExact(decoder, table, WARM, PROMPT, 1, 3);
        }
    }

    @Test
    void aWholeGuessIsFollowedByTheBonusAndNothingLongerIsEmitted() {
        var table = TableModel.random(3, DistributionStyle.DENSE, 3);
        var decoder =
                Decoding.with(
                        TableTarget.of(table),
                        new GuessList(List.of(new int[] {1, 2}, new int[] {1, 0}), true));

        var emitted = ExactDistribution.emitted(decoder, WARM, PROMPT, 1);

        assertThat(emitted.keySet()).allMatch(tokens -> tokens.size() <= 3);
        assertThat(emitted.keySet())
                .contains(List.of(1, 2, 0), List.of(1, 2, 1), List.of(1, 2, 2), List.of(1, 1));
    }

    /// Always guesses the same n-grams, merged as in lookahead decoding or each separately.
    private record GuessList(List<int[]> guesses, boolean merged) implements Drafter {
        @Override
        public DrafterTraits traits() {
            return DrafterTraits.tree(2 * guesses.size(), 2);
        }

        @Override
        public DraftSession open(DraftRequest request) {
            return new DraftSession() {
                private int root;

                @Override
                public void begin(int[] prompt, HiddenStates promptStates) {
                    root = prompt[prompt.length - 1];
                }

                @Override
                public Draft propose(DraftBudget budget, Randomness randomness) {
                    var tree = TokenTree.builder(root);
                    for (int[] guess : guesses) {
                        int parent = 0;
                        for (int token : guess) {
                            parent =
                                    merged
                                            ? tree.addDistinct(parent, token)
                                            : tree.add(parent, token);
                        }
                    }
                    return new Draft(tree.build(), new Selection.PointMass());
                }

                @Override
                public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                    root = verdict.nextToken();
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {}
    }
}
