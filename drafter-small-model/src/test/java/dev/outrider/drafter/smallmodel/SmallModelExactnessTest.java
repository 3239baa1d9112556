package dev.outrider.drafter.smallmodel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.LetterTokenizer;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.WrappedDrafter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Two rounds of drafting, judging and observing, enumerated over every random outcome: the tokens follow the target's
/// distribution exactly, whatever the drafter's model, sampling, shape and stop rule.
class SmallModelExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);

    /// Nodes with two, one and no children, the younger sibling with more below it than a level plan could say.
    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    private static final List<List<Integer>> PAIR = List.of(List.of(0), List.of(1), List.of(1, 0));

    /// One pairing.
    record Pairing(String name, SmallModelConfig config, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Pairing> pairings() {
        var token = new TokenRejectionRule();
        var oneHot = new SampleAndMatchRule();
        return Stream.of(
                new Pairing(
                        "chain that stops, judged as a block",
                        Configs.of(plan(new TreePlan.Chain(3)).stoppingBelow(0.4)),
                        new BlockVerificationRule(),
                        1),
                new Pairing(
                        "independent siblings, judged by their distribution",
                        config(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        new MultiStepRule(),
                        1),
                new Pairing(
                        "distinct siblings that stop, judged by their distribution",
                        Configs.of(
                                plan(new TreePlan.SampledWithoutReplacement(List.of(2, 2)))
                                        .stoppingBelow(0.3)),
                        new WithoutReplacementRule(),
                        1),
                new Pairing(
                        "distinct siblings that stop, judged from the leaves",
                        Configs.of(
                                plan(new TreePlan.SampledWithoutReplacement(List.of(2, 2)))
                                        .stoppingBelow(0.3)),
                        new TraversalRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape, judged by their distribution",
                        config(new TreePlan.SampledPaths(SHAPE, false)),
                        new WithoutReplacementRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape, judged from the leaves",
                        config(new TreePlan.SampledPaths(SHAPE, false)),
                        new TraversalRule(),
                        1),
                new Pairing(
                        "distinct siblings of an explicit shape that stop, in two rounds",
                        Configs.of(plan(new TreePlan.SampledPaths(PAIR, false)).stoppingBelow(0.4)),
                        new WithoutReplacementRule(),
                        2),
                new Pairing(
                        "independent siblings of an explicit shape, judged by their distribution",
                        config(new TreePlan.SampledPaths(SHAPE, true)),
                        new MultiStepRule(),
                        1),
                new Pairing("chain", config(new TreePlan.Chain(2)), token, 2),
                new Pairing("long chain", config(new TreePlan.Chain(4)), token, 1),
                new Pairing(
                        "chain with a sampler of its own",
                        Configs.of(
                                plan(new TreePlan.Chain(2))
                                        .sampledBy(new SamplingPolicy(1.7, 2, 1, 0, 1))),
                        token,
                        2),
                new Pairing(
                        "greedy chain",
                        Configs.of(
                                plan(new TreePlan.Chain(3))
                                        .sampledBy(new SamplingPolicy(0, 0, 1, 0, 1))),
                        token,
                        2),
                new Pairing(
                        "chain that stops after an unlikely token",
                        Configs.of(plan(new TreePlan.Chain(3)).stoppingBelow(0.4)),
                        token,
                        2),
                new Pairing(
                        "chain that stops before an uncertain distribution",
                        Configs.of(
                                plan(new TreePlan.Chain(3))
                                        .stoppingAt(new Drafting.EntropyStop(0.3, 0.5))),
                        token,
                        2),
                new Pairing(
                        "level widths", config(new TreePlan.LevelWidths(List.of(2, 2))), oneHot, 2),
                new Pairing(
                        "level widths that stop at unlikely tokens",
                        Configs.of(
                                plan(new TreePlan.LevelWidths(List.of(2, 2, 1)))
                                        .stoppingBelow(0.4)),
                        oneHot,
                        2),
                new Pairing(
                        "coupled tree, judged with the same noise",
                        config(new TreePlan.Coupled(List.of(2, 1))),
                        new GumbelCoupledRule(),
                        2),
                new Pairing(
                        "coupled tree, judged by a rule that knows nothing of it",
                        config(new TreePlan.Coupled(List.of(2, 1))),
                        oneHot,
                        1),
                new Pairing("dynamic tree", config(new TreePlan.Dynamic(2, 3, 5)), oneHot, 2),
                new Pairing(
                        "independent siblings",
                        config(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        oneHot,
                        1),
                new Pairing(
                        "distinct siblings",
                        config(new TreePlan.SampledWithoutReplacement(List.of(2, 2))),
                        oneHot,
                        1));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        for (int seed = 0; seed < 4; seed++) {
            assertExact(pairing, seed, drafter -> drafter);
        }
    }

    /// The control: a stop may leave out what follows a drawn token, never the token itself.
    @Test
    void aStopThatLeavesOutTheTokenItLookedAtIsNotExact() {
        var pairing =
                new Pairing(
                        "chain that loses unlikely tokens",
                        config(new TreePlan.Chain(2)),
                        new TokenRejectionRule(),
                        1);

        assertThatThrownBy(
                        () -> {
                            for (int seed = 0; seed < 4; seed++) {
                                assertExact(
                                        pairing,
                                        seed,
                                        drafter -> new WrappedDrafter(drafter, LosesUnlikely::new));
                            }
                        })
                .isInstanceOf(AssertionError.class);
    }

    private static void assertExact(Pairing pairing, int seed, UnaryOperator<Drafter> change) {
        var target =
                TableModel.random(
                        VOCABULARY,
                        DistributionStyle.values()[seed % DistributionStyle.values().length],
                        seed);
        var model =
                new DraftModel(
                        new TableNetwork(VOCABULARY, 200 + seed, 1.5),
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1,
                        "");
        try (var drafter = new SmallModelDrafter(pairing.config(), model, VOCABULARY)) {
            var decoder =
                    new Decoder(
                            TableTarget.of(target),
                            Optional.of(change.apply(drafter)),
                            pairing.rule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);

            ExactDistribution.assertExact(decoder, target, TARGET, PROMPT, pairing.rounds(), 5);
        }
    }

    /// Ends a chain before the first token that was less probable than 0.4.
    private static final class LosesUnlikely extends WrappedDrafter.Session {
        LosesUnlikely(DraftSession session) {
            super(session);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            if (!(draft.selection() instanceof Selection.Independent(var distributions))) {
                return draft;
            }
            int[] tokens = draft.tree().tokens();
            int kept = 0;
            var keptDistributions = DraftDistributions.builder();
            while (kept + 1 < tokens.length && distributions.row(kept)[tokens[kept + 1]] >= 0.4) {
                keptDistributions.put(kept, distributions.row(kept));
                kept++;
            }
            var chain = TokenTree.chain(tokens[0], Arrays.copyOfRange(tokens, 1, kept + 1));
            return new Draft(chain, new Selection.Independent(keptDistributions.build()));
        }
    }

    private static SmallModelConfig config(TreePlan plan) {
        return Configs.of(plan);
    }

    private static Drafting plan(TreePlan plan) {
        return Drafting.of(plan);
    }
}
