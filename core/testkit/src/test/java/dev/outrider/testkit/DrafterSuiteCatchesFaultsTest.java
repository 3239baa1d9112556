package dev.outrider.testkit;

import static dev.outrider.testkit.FaultySuites.HONEST;
import static dev.outrider.testkit.FaultySuites.caught;
import static dev.outrider.testkit.FaultySuites.changed;
import static dev.outrider.testkit.FaultySuites.firstOf;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// For every check of the drafter suite, a drafter that fails it.
class DrafterSuiteCatchesFaultsTest {
    @Test
    void aDrafterThatFailsInTheMiddle() {
        var problem = new IllegalStateException("on purpose");
        var failing = FaultyDrafters.throwing(HONEST, 3, problem);
        caught(failing, DrafterConformance::greedyOutputEqualsPlainDecoding, "on purpose");
        caught(
                failing,
                DrafterConformance::greedyOutputEqualsPlainDecodingForEveryLength,
                "on purpose");
    }

    @Test
    void aDrafterThatLiesAboutItsDistributions() {
        var liar = FaultyDrafters.lyingAboutDistributions(HONEST, .4);
        caught(
                liar,
                DrafterConformance::outputFollowsTheTargetsDistribution,
                "follow the target's distribution");
    }

    @Test
    void aDrafterThatTakesArgmaxesAndStatesTheirSoftmax() {
        var argmax = FaultyDrafters.spoiling(HONEST, (round, draft, before) -> withModes(draft));
        caught(
                argmax,
                DrafterConformance::outputFollowsTheTargetsDistribution,
                "follow the target's distribution");
    }

    @Test
    void aDrafterThatLiesAboutItsDistributionsInTrees() {
        var tree =
                new TableDrafter(
                        TableModel.random(7, DistributionStyle.DENSE, 6),
                        new TreePlan.SampledWithoutReplacement(List.of(3, 2)),
                        Toy.PLAIN);
        caught(
                FaultyDrafters.lyingAboutDistributions(tree, .3),
                DrafterConformance::outputFollowsTheTargetsDistribution,
                "follow the target's distribution");
    }

    @Test
    void aDrafterThatRanksWhatItHasDrawn() {
        var drawn =
                new TableDrafter(
                        TableModel.random(7, DistributionStyle.DENSE, 6),
                        new TreePlan.SampledWithoutReplacement(List.of(4)),
                        Toy.PLAIN);
        var ranking =
                FaultyDrafters.spoiling(
                        drawn,
                        (round, draft, before) ->
                                draft.selection() instanceof Selection.WithoutReplacement
                                        ? FaultyDrafts.ranked(draft, 1)
                                        : draft);
        caught(
                ranking,
                DrafterConformance::outputFollowsTheTargetsDistribution,
                "follow the target's distribution");
    }

    @Test
    void aDrafterThatStatesTheDistributionsOfTheRoundBefore() {
        var stale =
                FaultyDrafters.spoiling(
                        HONEST,
                        (round, draft, before) ->
                                before.tree().draftedNodes() < draft.tree().draftedNodes()
                                        ? draft
                                        : new Draft(draft.tree(), before.selection()));
        caught(
                stale,
                DrafterConformance::outputFollowsTheTargetsDistribution,
                "follow the target's distribution");
        caught(
                stale,
                DrafterConformance::everyTokenFollowsTheTargetsDistribution,
                "follow the target's distribution");
    }

    @Test
    void aDrafterThatStatesNoDistributionForWhatItDrew() {
        var silent =
                FaultyDrafters.spoiling(
                        HONEST,
                        (round, draft, before) ->
                                new Draft(draft.tree(), new Selection.PointMass()));
        caught(
                silent,
                DrafterConformance::sampledDraftsKeepTheContractInEveryRound,
                "as it declares");
    }

    @Test
    void aDrafterThatRecordsASupportThatIsNotItsDistributions() {
        var careless =
                FaultyDrafters.spoiling(HONEST, (round, draft, before) -> withoutMode(draft));
        caught(
                careless,
                DrafterConformance::sampledDraftsKeepTheContractInEveryRound,
                "recorded a support that holds");
    }

    @Test
    void aDrafterWithRandomnessOfItsOwn() {
        var moods = new SplittableRandom(1);
        var moody =
                FaultyDrafters.spoiling(
                        HONEST,
                        (round, draft, before) -> moods.nextBoolean() ? firstOf(draft) : draft);
        caught(moody, DrafterConformance::theSameSeedGivesTheSameDrafts, "the draft of round");
        caught(moody, DrafterConformance::theSameSeedGivesTheSameOutput, "");
    }

    @Test
    void aDrafterWithStaleGuesses() {
        var stale =
                FaultyDrafters.spoiling(
                        HONEST, (round, draft, before) -> withGuessesOf(draft, before));
        caught(
                stale,
                DrafterConformance::afterAnyVerdictTheSessionProposesWhatAFreshOneWould,
                "after a verdict");
    }

    @Test
    void aDrafterThatIgnoresItsBudget() {
        var greedy = FaultyDrafters.spoiling(HONEST, (round, draft, before) -> tooLong(draft));
        caught(greedy, DrafterConformance::budgetsOfNothingAndOfOneAreKept, "expected at most 0");
        caught(greedy, DrafterConformance::noBudgetLeadsBeyondTheDeclaredLimits, "");
        caught(greedy, DrafterConformance::theLastPositionIsReached, "expected at most 0");
    }

    @Test
    void aDrafterThatNeedsALongerPrompt() {
        var picky =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void begin(int[] prompt, HiddenStates states) {
                                if (prompt.length < 2) {
                                    throw new IllegalStateException("too short");
                                }
                                super.begin(prompt, states);
                            }
                        });
        caught(picky, DrafterConformance::aSequenceOfOneTokenIsDraftedFor, "too short");
    }

    @Test
    void aDrafterThatDoesNotEndInTheMiddleOfARound() {
        var unfinished =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            private boolean undecided;

                            @Override
                            public Draft propose(DraftBudget budget, Randomness randomness) {
                                undecided = true;
                                return super.propose(budget, randomness);
                            }

                            @Override
                            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                                undecided = false;
                                super.observe(draft, verdict, scores);
                            }

                            @Override
                            public void close() {
                                if (undecided) {
                                    throw new IllegalStateException("still open");
                                }
                            }
                        });
        caught(unfinished, DrafterConformance::anEndTokenInsideATreeCutsWhatFollows, "still open");
    }

    @Test
    void aSessionThatClosesOnce() {
        var once =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            private boolean closed;

                            @Override
                            public void close() {
                                if (closed) {
                                    throw new IllegalStateException("closed already");
                                }
                                closed = true;
                            }
                        });
        caught(once, DrafterConformance::closingASessionTwiceDoesNoHarm, "closed already");
    }

    @Test
    void aDrafterThatDeclaresMoreThanItReads() {
        caught(
                declaring(true, false),
                DrafterConformance::hiddenStatesAreAskedForExactlyWhenDeclared,
                "");
        caught(
                declaring(false, true),
                DrafterConformance::whatIsDeclaredToBeReadIsRead,
                "whether scores of rejected nodes were read");
    }

    @Test
    void aDrafterThatReadsMoreThanItDeclares() {
        var curious =
                changed(session ->
                        new WrappedDrafter.Session(session) {
                            @Override
                            public void observe(Draft draft, Verdict verdict, TargetScores scores) {
                                for (int node = 0; node < scores.size(); node++) {
                                    scores.argmax(node);
                                }
                                super.observe(draft, verdict, scores);
                            }
                        });
        caught(
                curious,
                DrafterConformance::sampledDraftsKeepTheContractInEveryRound,
                "which was not accepted, expected readsRejectedNodes in its traits");
    }

    private static Drafter declaring(boolean hiddenStates, boolean rejectedNodes) {
        return new WrappedDrafter(HONEST, session -> session) {
            @Override
            public DrafterTraits traits() {
                var traits = DrafterTraits.chain(3).selecting(Selection.Kind.INDEPENDENT);
                traits = hiddenStates ? traits.readingHiddenStates() : traits;
                return rejectedNodes ? traits.readingRejectedNodes() : traits;
            }
        };
    }

    /// Returns the modes of the distributions in place of draws from them.
    private static Draft withModes(Draft draft) {
        var tree = draft.tree();
        if (tree.draftedNodes() == 0) {
            return draft;
        }
        var distributions = ((Selection.Independent) draft.selection()).distributions();
        var modes = new int[tree.draftedNodes()];
        for (int node = 0; node < modes.length; node++) {
            double[] distribution = distributions.row(node);
            for (int token = 1; token < distribution.length; token++) {
                modes[node] = distribution[token] > distribution[modes[node]] ? token : modes[node];
            }
        }
        return new Draft(TokenTree.chain(tree.token(0), modes), draft.selection());
    }

    /// Returns the same distributions with supports that lack their most probable token.
    private static Draft withoutMode(Draft draft) {
        if (!(draft.selection() instanceof Selection.Independent(var stated))) {
            return draft;
        }
        var distributions = DraftDistributions.builder();
        for (int node = 0; node < draft.tree().draftedNodes(); node++) {
            double[] row = stated.row(node);
            double most = Arrays.stream(row).max().orElseThrow();
            double[] others = Arrays.stream(row).map(p -> p == most ? 0 : p).toArray();
            distributions.put(node, row, Support.of(others));
        }
        return new Draft(draft.tree(), new Selection.Independent(distributions.build()));
    }

    /// Returns the tokens of an old draft with the root and the distributions of a new one.
    private static Draft withGuessesOf(Draft draft, Draft before) {
        int[] old = before.tree().tokens();
        int length = Math.min(before.tree().draftedNodes(), draft.tree().draftedNodes());
        var guesses = Arrays.copyOfRange(old, 1, 1 + length);
        return new Draft(TokenTree.chain(draft.tree().token(0), guesses), draft.selection());
    }

    /// Returns one guess more than the budget allows, from the last guess's distribution.
    private static Draft tooLong(Draft draft) {
        int[] guesses = new int[draft.tree().draftedNodes() + 1];
        return new Draft(TokenTree.chain(draft.tree().token(0), guesses), draft.selection());
    }
}
