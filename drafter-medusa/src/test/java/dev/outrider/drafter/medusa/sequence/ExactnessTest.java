package dev.outrider.drafter.medusa.sequence;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import dev.outrider.testkit.WrappedDrafter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Rounds of drafting, judging and observing, enumerated over every random outcome: the tokens follow the target's distribution
/// exactly, whatever the heads, the shape, the sampling and the stop; and they do not where the distribution that a rule is told is
/// not the one of the node's own path.
class ExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int HIDDEN = RandomSequenceHeads.HIDDEN;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);
    private static final SamplingPolicy TRUNCATED = new SamplingPolicy(1.3, 2, 1, 0, 1);
    private static final SamplingPolicy WHOLE = new SamplingPolicy(1.3, 0, 1, 0, 1);

    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    /// One pairing.
    private record Pairing(
            RandomSequenceHeads.Kind kind, SequenceDraft draft, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return "%s, %s, %s, %d rounds"
                    .formatted(kind, draft.plan(), rule.traits().name(), rounds);
        }
    }

    static Stream<Pairing> pairings() {
        var pairings = new ArrayList<Pairing>();
        for (var kind : RandomSequenceHeads.Kind.values()) {
            var chain = Drafting.of(new TreePlan.Chain(3));
            var own = Drafting.of(new TreePlan.Chain(2)).sampledBy(TRUNCATED);
            var distinct = Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 2)));
            var independent = Drafting.of(new TreePlan.SampledWithReplacement(List.of(2, 1)));
            var shaped = Drafting.of(new TreePlan.SampledPaths(SHAPE, false));
            pairings.add(pairing(kind, chain, new TokenRejectionRule(), 1));
            pairings.add(pairing(kind, own, new TokenRejectionRule(), 2));
            pairings.add(pairing(kind, chain, new BlockVerificationRule(), 1));
            pairings.add(pairing(kind, chain.stoppingBelow(0.4), new BlockVerificationRule(), 1));
            pairings.add(pairing(kind, independent, new MultiStepRule(), 1));
            pairings.add(pairing(kind, distinct, new WithoutReplacementRule(), 1));
            pairings.add(pairing(kind, shaped, new TraversalRule(), 1));
            pairings.add(pairing(kind, shaped, new WithoutReplacementRule(), 1));
            pairings.add(
                    pairing(
                            kind,
                            Drafting.of(new TreePlan.Dynamic(2, 3, 5)),
                            new SampleAndMatchRule(),
                            1));
            pairings.add(
                    pairing(
                            kind,
                            Drafting.of(new TreePlan.LevelWidths(List.of(2, 2))),
                            new SampleAndMatchRule(),
                            1));
            pairings.add(
                    pairing(
                            kind,
                            Drafting.of(new TreePlan.Coupled(List.of(2, 1))),
                            new GumbelCoupledRule(),
                            1));
            pairings.add(
                    new Pairing(
                            kind,
                            new SequenceDraft(
                                    Drafting.of(new TreePlan.Chain(1)),
                                    Optional.of(new Beam(2, 2))),
                            new SampleAndMatchRule(),
                            2));
        }
        return pairings.stream();
    }

    private static Pairing pairing(
            RandomSequenceHeads.Kind kind, Drafting drafting, AcceptanceRule rule, int rounds) {
        return new Pairing(kind, new SequenceDraft(drafting, Optional.empty()), rule, rounds);
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        for (int seed = 0; seed < 2; seed++) {
            assertExact(pairing, seed, drafter -> drafter);
        }
    }

    /// The first control: a rule that is told the distribution of the node beside, as if all nodes of a depth had one.
    @ParameterizedTest
    @EnumSource
    void theDistributionOfTheSiblingsPathIsNotExact(RandomSequenceHeads.Kind kind) {
        var tree = Drafting.of(new TreePlan.SampledWithReplacement(List.of(2, 1))).sampledBy(WHOLE);
        assertNotExact(
                pairing(kind, tree, new MultiStepRule(), 1),
                (_, drafter) -> new WrappedDrafter(drafter, session -> new Siblings(session)));
    }

    @ParameterizedTest
    @EnumSource
    void theDistributionBeforeTruncationIsNotExact(RandomSequenceHeads.Kind kind) {
        assertNotExact(
                pairing(
                        kind,
                        Drafting.of(new TreePlan.Chain(3)).sampledBy(TRUNCATED),
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) ->
                        new WrappedDrafter(
                                drafter, session -> new Recomputed(session, kind, seed, false)));
    }

    /// What a head would say that had not seen the last token.
    @ParameterizedTest
    @EnumSource
    void aForgottenLastTokenIsNotExact(RandomSequenceHeads.Kind kind) {
        assertNotExact(
                pairing(
                        kind,
                        Drafting.of(new TreePlan.Chain(3)).sampledBy(WHOLE),
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) ->
                        new WrappedDrafter(
                                drafter, session -> new Recomputed(session, kind, seed, true)));
    }

    /// The recomputation itself is right: with what was drawn from, it changes nothing.
    @ParameterizedTest
    @EnumSource
    void theDistributionThatWasDrawnFromIsExactWhoeverComputesIt(RandomSequenceHeads.Kind kind) {
        for (int seed = 0; seed < 3; seed++) {
            int own = seed;
            assertExact(
                    pairing(
                            kind,
                            Drafting.of(new TreePlan.Chain(3)).sampledBy(WHOLE),
                            new TokenRejectionRule(),
                            1),
                    seed,
                    drafter ->
                            new WrappedDrafter(
                                    drafter, session -> new Recomputed(session, kind, own, false)));
        }
    }

    /// Every token drafted before counts: two paths that end alike have different distributions.
    @Test
    void nodesOfOneDepthAndTokenHaveDistributionsOfTheirOwn() {
        for (var kind : RandomSequenceHeads.Kind.values()) {
            var logits = new float[2 * VOCABULARY];
            try (var heads = RandomSequenceHeads.of(kind, VOCABULARY, 3)) {
                var root =
                        heads.after(
                                List.of(heads.start(TokenFeatures.powers(1, HIDDEN))),
                                new int[] {0});
                var first =
                        heads.after(List.of(root.getFirst(), root.getFirst()), new int[] {1, 2});
                heads.logits(2, heads.after(first, new int[] {0, 0}), logits);
            }
            assertThat(Arrays.copyOf(logits, VOCABULARY))
                    .as(kind.name())
                    .isNotEqualTo(Arrays.copyOfRange(logits, VOCABULARY, 2 * VOCABULARY));
        }
    }

    private interface Change {
        Drafter of(int seed, Drafter drafter);
    }

    private static void assertNotExact(Pairing pairing, Change change) {
        double worst = 0;
        for (int seed = 0; seed < 6; seed++) {
            int own = seed;
            worst = Math.max(worst, error(pairing, seed, drafter -> change.of(own, drafter)));
        }
        assertThat(worst).as("largest error of a probability").isGreaterThan(1e-3);
    }

    private static double error(Pairing pairing, int seed, UnaryOperator<Drafter> change) {
        var model = model(seed);
        try (var drafter = drafter(pairing, seed)) {
            return ExactDistribution.error(
                    decoder(model, change.apply(drafter), pairing),
                    model,
                    TARGET,
                    PROMPT,
                    pairing.rounds(),
                    4);
        }
    }

    private static void assertExact(Pairing pairing, int seed, UnaryOperator<Drafter> change) {
        var model = model(seed);
        try (var drafter = drafter(pairing, seed)) {
            ExactDistribution.assertExact(
                    decoder(model, change.apply(drafter), pairing),
                    model,
                    TARGET,
                    PROMPT,
                    pairing.rounds(),
                    4);
        }
    }

    private static TableModel model(int seed) {
        return TableModel.random(
                VOCABULARY,
                DistributionStyle.values()[seed % DistributionStyle.values().length],
                seed);
    }

    private static Decoder decoder(TableModel model, Drafter drafter, Pairing pairing) {
        return new Decoder(
                new TokenFeatures(TableTarget.of(model), HIDDEN),
                Optional.of(drafter),
                pairing.rule(),
                FixedLength.drafterLimit(),
                true,
                () -> 0);
    }

    private static SequenceDrafter drafter(Pairing pairing, int seed) {
        return new SequenceDrafter(
                RandomSequenceHeads.of(pairing.kind(), VOCABULARY, seed), pairing.draft(), 0, "");
    }

    /// A draft's rows, put elsewhere.
    private abstract static class Changed extends WrappedDrafter.Session {
        Changed(DraftSession session) {
            super(session);
        }

        /// Another row for a node that has children.
        abstract double[] row(TokenTree tree, DraftDistributions rows, int node);

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            var draft = super.propose(budget, randomness);
            if (!(draft.selection() instanceof Selection.Independent(var rows))) {
                return draft;
            }
            var tree = draft.tree();
            var parents = new TreeSet<Integer>();
            for (int node = 1; node < tree.size(); node++) {
                parents.add(tree.parent(node));
            }
            var changed = DraftDistributions.builder();
            for (int node : parents) {
                changed.put(node, row(tree, rows, node));
            }
            return new Draft(tree, new Selection.Independent(changed.build()));
        }
    }

    private static final class Siblings extends Changed {
        Siblings(DraftSession session) {
            super(session);
        }

        @Override
        double[] row(TokenTree tree, DraftDistributions rows, int node) {
            return node == 0 ? rows.row(0) : rows.row(3 - node);
        }
    }

    /// Rows of a chain that the heads say again.
    private static final class Recomputed extends Changed {
        private final RandomSequenceHeads.Kind kind;
        private final int seed;
        private final boolean forgetful;
        private final List<Integer> tokens = new ArrayList<>();

        /// @param forgetful whether what the last token did to a state is forgotten
        Recomputed(
                DraftSession session, RandomSequenceHeads.Kind kind, int seed, boolean forgetful) {
            super(session);
            this.kind = kind;
            this.seed = seed;
            this.forgetful = forgetful;
        }

        @Override
        public void begin(int[] prompt, HiddenStates states) {
            super.begin(prompt, states);
            Arrays.stream(prompt).forEach(tokens::add);
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            super.observe(draft, verdict, scores);
            Arrays.stream(verdict.emitted(draft.tree())).forEach(tokens::add);
        }

        @Override
        double[] row(TokenTree tree, DraftDistributions rows, int node) {
            int before = tokens.get(tokens.size() - 2);
            var logits = new float[VOCABULARY];
            try (var heads = RandomSequenceHeads.of(kind, VOCABULARY, seed)) {
                var states = List.of(heads.start(TokenFeatures.powers(before, HIDDEN)));
                for (int token : Arrays.copyOf(tree.tokens(), node + 1)) {
                    states = heads.after(states, new int[] {token});
                }
                if (forgetful) {
                    float[] state = states.getFirst();
                    Arrays.fill(state, state.length - HIDDEN, state.length, 0);
                }
                heads.logits(node, states, logits);
            }
            return WHOLE.distribution(
                    MemorySegment.ofArray(logits), VOCABULARY, TokenHistory.of(0));
        }
    }
}
