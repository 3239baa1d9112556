package dev.outrider.spi.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription.SourceReading;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpiValuesTest {
    @Test
    void aVerdictEmitsItsPathAndTheNextToken() {
        var tree = TokenTree.chain(5, 6, 7);
        var verdict = new Verdict(List.of(1, 2), 8, Verdict.Origin.BONUS);

        assertThat(verdict.emitted(tree)).containsExactly(6, 7, 8);
        assertThat(verdict.acceptedLength()).isEqualTo(2);
        assertThat(verdict.lastNode()).isEqualTo(2);
        assertThat(new Verdict(List.of(), 3, Verdict.Origin.CORRECTION).lastNode()).isZero();
    }

    @Test
    void aVerdictsNextTokenIsAToken() {
        assertThatThrownBy(() -> new Verdict(List.of(), -1, Verdict.Origin.BONUS))
                .hasMessage("nextToken -1 is negative");
    }

    @Test
    void draftDistributionsAnswerOnlyForRecordedNodes() {
        var row = new double[] {.5, .5};
        var distributions = DraftDistributions.builder().put(0, row).build();

        assertThat(distributions.row(0)).isSameAs(row);
        assertThat(distributions.has(0)).isTrue();
        assertThat(distributions.has(1)).isFalse();
        assertThatThrownBy(() -> distributions.row(1))
                .hasMessage("no draft distribution recorded for node 1");
    }

    @Test
    void theSupportOfADraftDistributionIsLookedForUnlessItIsKnown() {
        double[] row = {0, .5, 0, .5};
        var found = DraftDistributions.builder().put(0, row).build().support(0);
        assertThat(found.size()).isEqualTo(2);
        assertThat(found.token(0)).isEqualTo(1);
        assertThat(found.token(1)).isEqualTo(3);

        var reused = new int[] {1, 3};
        var given =
                new Support() {
                    @Override
                    public int size() {
                        return reused.length;
                    }

                    @Override
                    public int token(int index) {
                        return reused[index];
                    }
                };
        var distributions = DraftDistributions.builder().put(0, row, given).build();
        reused[1] = 2;
        assertThat(distributions.support(0).size()).isEqualTo(2);
        assertThat(distributions.support(0).token(1)).isEqualTo(3);
    }

    @Test
    void aRowThatIsNoDistributionIsKnownOnceItIsPut() {
        assertThat(problem(.5, .25, .125, 0, .125)).isEmpty();
        assertThat(problem(.5, .25))
                .hasValue("a distribution that sums to 0.75 at node 0, expected 1");
        assertThat(problem(0, 0, 0, 0, 2, -1))
                .hasValue("probability -1.0 of token 5 at node 0, expected 0 or more");
        assertThat(problem(Double.NaN, 1))
                .hasValue("probability NaN of token 0 at node 0, expected 0 or more");
        assertThat(problem(0, Double.POSITIVE_INFINITY))
                .hasValue("a distribution that sums to Infinity at node 0, expected 1");
    }

    private static Optional<String> problem(double... row) {
        return DraftDistributions.builder().put(0, row).build().problem(0);
    }

    @Test
    void aRowThatChangesIsNoticed() {
        for (int length = 2; length < 9; length++) {
            var row = new double[length];
            row[length - 1] = 1;
            var distributions = DraftDistributions.builder().put(3, row).build();
            var watched = distributions.watched();
            assertThat(watched.row(3)).isSameAs(row);
            assertThat(watched.changed()).isEmpty();
            row[length - 1] = 0;
            row[length - 2] = 1;
            assertThat(watched.changed()).hasValue(3);
            assertThat(distributions.watched().changed()).isEmpty();
        }
    }

    @Test
    void aNodeHasOneDraftDistribution() {
        var builder = DraftDistributions.builder().put(0, new double[1]);

        assertThatThrownBy(() -> builder.put(0, new double[1]))
                .hasMessage("node 0 already has a distribution");
    }

    @Test
    void aBudgetIsNeverDeeperThanItsNodes() {
        assertThatThrownBy(() -> new DraftBudget(2, 3))
                .hasMessage("maxDepth 3 is not between 0 and maxNodes 2");
        assertThatThrownBy(() -> new DraftBudget(-1, 0)).hasMessage("maxNodes -1 is negative");
        assertThat(DraftBudget.chain(0)).isEqualTo(new DraftBudget(0, 0));
    }

    @Test
    void historyJoinsCommittedTokensAndThePath() {
        var history = new TokenHistory(new int[] {1, 2, 99}, 2, new int[] {7});

        assertThat(history.distinct().stream()).containsExactly(1, 2, 7);
        assertThatThrownBy(() -> new TokenHistory(new int[1], 2, new int[0]))
                .hasMessage("length 2 is not between 0 and 1");
    }

    @Test
    void historyMayBeAllOfAnArrayButNotLessThanNothing() {
        assertThat(TokenHistory.of(3, 1).distinct().stream()).containsExactly(1, 3);
        assertThat(TokenHistory.of(3).followedBy(1).distinct().stream()).containsExactly(1, 3);
        assertThatThrownBy(() -> new TokenHistory(new int[1], -1, new int[0]))
                .hasMessage("length -1 is not between 0 and 1");
    }

    @Test
    void requestsAskForAtLeastOnePosition() {
        var policy = SamplingPolicy.argmax();

        assertThatThrownBy(() -> new DraftRequest(0, policy))
                .hasMessage("capacity 0 is not positive");
        assertThatThrownBy(() -> SessionRequest.ofCapacity(0))
                .hasMessage("capacity 0 is not positive");
        assertThat(new DraftRequest(1, policy).capacity()).isEqualTo(1);
        assertThat(SessionRequest.ofCapacity(1).hiddenStates()).isEmpty();
    }

    @Test
    void hiddenStatesStandAfterLayers() {
        assertThat(new HiddenState.AfterLayer(0).layers()).isZero();
        assertThatThrownBy(() -> new HiddenState.AfterLayer(-1))
                .hasMessage("layers -1 is negative");
    }

    @Test
    void codesOfPluginsLookLikeOurs() {
        assertThat(new ErrorCode("INDEX_STALE", ErrorCode.Category.FILE))
                .hasToString("INDEX_STALE");
        assertThatThrownBy(() -> new ErrorCode("indexStale", ErrorCode.Category.FILE))
                .hasMessage(
                        "error code 'indexStale' must be capital letters, digits and single underscores, such as INDEX_STALE");
        assertThat(ErrorCode.standard()).contains(ErrorCode.PROMPT_EMPTY).doesNotHaveDuplicates();
    }

    @Test
    void aTreeShapeAccommodatesChains() {
        assertThat(TreeShape.TREE.accommodates(TreeShape.CHAIN)).isTrue();
        assertThat(TreeShape.CHAIN.accommodates(TreeShape.TREE)).isFalse();
    }

    @Test
    void anErrorSaysCodeProblemAndRemedy() {
        var error = new OutriderException(ErrorCode.PROMPT_EMPTY, "no tokens", "Write a prompt.");

        assertThat(error).hasMessage("PROMPT_EMPTY: no tokens\n  Write a prompt.");
        assertThat(error.code()).isEqualTo(ErrorCode.PROMPT_EMPTY);
        assertThat(error.problem()).isEqualTo("no tokens");
    }

    @Test
    void partsOfATargetAreCountedFromItsFirstLayer() {
        assertThatThrownBy(() -> new LayerSubset.First(0))
                .hasMessage("an exit after 0 layers, expected at least 1");
        assertThat(new LayerSubset.Without(Set.of(1), Set.of()).attention()).containsExactly(1);
        assertThatThrownBy(() -> new LayerSubset.Without(Set.of(1), Set.of(2, -1)))
                .hasMessage("layers [-1, 2] count from 0");
    }

    @Test
    void anEncoderDecoderHasPlacesAndAFirstToken() {
        assertThat(new SourceReading(8, List.of(0)).start()).containsExactly(0);
        assertThatThrownBy(() -> new SourceReading(0, List.of(0)))
                .hasMessage("maxPositions 0 is not positive");
        assertThatThrownBy(() -> new SourceReading(8, List.of()))
                .hasMessage("a decoder begins with at least one token");
    }

    @Test
    void aPassHasARowForEachSequence() {
        assertThat(new DecodeEvent.TargetPass(2, 2, 5).rows()).isEqualTo(2);
        assertThatThrownBy(() -> new DecodeEvent.TargetPass(1, 2, 5))
                .hasMessage("a pass of 1 rows for 2 sequences");
        assertThatThrownBy(() -> new DecodeEvent.TargetPass(1, 0, 5))
                .hasMessage("a pass of 1 rows for 0 sequences");
    }

    @Test
    void aPromptIsNoLongerThanItsHistory() {
        assertThatThrownBy(() -> new TokenHistory(new int[3], 2, new int[0], 3))
                .hasMessage("prompt 3 is not between 0 and the length 2");
        assertThatThrownBy(() -> new TokenHistory(new int[3], 2, new int[0], -1))
                .hasMessage("prompt -1 is not between 0 and the length 2");
    }
}
