package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.WrappedDrafter;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Trees that change from round to round by what finished rounds kept, enumerated: the tokens follow the target's distribution exactly.
class LaidOutTreesTest {
    private static final int VOCABULARY = 3;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);

    private static final TreePlan.RankPaths FIRST =
            new TreePlan.RankPaths(List.of(List.of(0), List.of(1), List.of(0, 0)));

    private static final TreePlan.RankPaths AFTER_SUCCESS =
            new TreePlan.RankPaths(List.of(List.of(0), List.of(0, 0)));

    private static final TreePlan.RankPaths AFTER_FAILURE =
            new TreePlan.RankPaths(List.of(List.of(0), List.of(1)));

    static Stream<Arguments> plans() {
        var widths = List.of(2, 1);
        return Stream.of(
                Arguments.of(new TreePlan.LevelWidths(widths), new SampleAndMatchRule()),
                Arguments.of(
                        new TreePlan.SampledWithoutReplacement(widths),
                        new WithoutReplacementRule()),
                Arguments.of(new TreePlan.SampledWithoutReplacement(widths), new TraversalRule()),
                Arguments.of(new TreePlan.SampledWithReplacement(widths), new MultiStepRule()));
    }

    @ParameterizedTest
    @MethodSource("plans")
    void tokensFollowTheTargetsDistribution(TreePlan plan, AcceptanceRule rule) {
        for (int seed = 0; seed < 2; seed++) {
            assertThat(error(plan, rule, seed, drafter -> drafter)).isLessThan(1e-12);
        }
    }

    /// Control: a draft that is given up for the token that was drawn.
    @Test
    void aTreeThatDependsOnTheTokenItLeavesOutIsNotExact() {
        var plan = new TreePlan.SampledWithoutReplacement(List.of(2, 1));

        double error =
                error(
                        plan,
                        new WithoutReplacementRule(),
                        0,
                        drafter -> new WrappedDrafter(drafter, WithoutZeros::new));

        assertThat(error).isGreaterThan(0.01);
    }

    private static double error(
            TreePlan plan, AcceptanceRule rule, int seed, UnaryOperator<Drafter> change) {
        var target = TableModel.random(VOCABULARY, DistributionStyle.DENSE, seed);
        var model =
                new DraftModel(
                        new TableNetwork(VOCABULARY, 200 + seed, 1.5),
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1,
                        "",
                        Optional.empty());
        try (var drafter = new SmallModelDrafter(Configs.of(plan), model, VOCABULARY)) {
            var decoder =
                    new Decoder(
                            TableTarget.of(target),
                            Optional.of(change.apply(drafter)),
                            rule,
                            ByLastRound::new,
                            true,
                            () -> 0);
            return ExactDistribution.error(decoder, target, TARGET, PROMPT, 2, 4);
        }
    }

    /// A deeper tree after a round that kept a guess, a wider one after another.
    private static final class ByLastRound implements DraftLengthPolicy {
        private TreePlan.RankPaths tree = FIRST;

        @Override
        public int next() {
            return tree.maxDepth();
        }

        @Override
        public Optional<TreePlan.RankPaths> tree() {
            return Optional.of(tree);
        }

        @Override
        public void observe(RoundCompleted round) {
            assertThat(round.draft().tree().draftedNodes()).isIn(0, tree.maxNodes());
            tree = round.verdict().acceptedLength() > 0 ? AFTER_SUCCESS : AFTER_FAILURE;
        }
    }

    private static final class WithoutZeros extends WrappedDrafter.Session {
        WithoutZeros(DraftSession session) {
            super(session);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            return draft.tree().token(1) == 0 ? Draft.empty(draft.tree().token(0)) : draft;
        }
    }
}
