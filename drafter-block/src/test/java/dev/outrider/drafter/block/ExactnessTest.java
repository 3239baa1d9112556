package dev.outrider.drafter.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorLinear;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.testkit.DistributionStyle;
import dev.outrider.testkit.ExactDistribution;
import dev.outrider.testkit.ReportedRows;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import dev.outrider.testkit.WrappedDrafter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Rounds of drafting, judging and observing, enumerated over every random outcome: the tokens follow the target's distribution
/// exactly, whatever the heads, the shape, the sampling and the stop; and they do not where the distribution that a rule is told is
/// not the one that was drawn from.
class ExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int SLOTS = 4;
    private static final int RANK = 2;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);
    private static final SamplingPolicy TRUNCATED = new SamplingPolicy(1.3, 2, 1, 0, 1);

    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    /// Which heads are beside the backbone.
    private enum Heads {
        NONE,
        VANILLA,
        GATED,
        RNN;

        Optional<HeadForm.Type> type() {
            return this == NONE ? Optional.empty() : Optional.of(HeadForm.Type.valueOf(name()));
        }
    }

    /// One pairing.
    ///
    /// @param threshold where the confidence head ends a draft
    private record Pairing(
            Heads heads, Drafting drafting, double threshold, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return "%s, %s, %s, threshold %s, %d rounds"
                    .formatted(heads, drafting.plan(), rule.traits().name(), threshold, rounds);
        }
    }

    static Stream<Pairing> pairings() {
        var pairings = new ArrayList<Pairing>();
        for (var heads : Heads.values()) {
            var chain = Drafting.of(new TreePlan.Chain(3));
            var own = Drafting.of(new TreePlan.Chain(2)).sampledBy(TRUNCATED);
            var distinct = Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 2)));
            var independent = Drafting.of(new TreePlan.SampledWithReplacement(List.of(2, 1)));
            var shaped = Drafting.of(new TreePlan.SampledPaths(SHAPE, false));
            pairings.add(new Pairing(heads, chain, 0, new TokenRejectionRule(), 1));
            pairings.add(new Pairing(heads, own, 0, new TokenRejectionRule(), 2));
            pairings.add(
                    new Pairing(
                            heads,
                            Drafting.of(new TreePlan.Chain(2)),
                            0.5,
                            new TokenRejectionRule(),
                            2));
            pairings.add(new Pairing(heads, chain, 0.5, new BlockVerificationRule(), 1));
            pairings.add(
                    new Pairing(
                            heads, chain.stoppingBelow(0.4), 0.45, new BlockVerificationRule(), 1));
            pairings.add(new Pairing(heads, independent, 0, new MultiStepRule(), 1));
            pairings.add(new Pairing(heads, distinct, 0, new WithoutReplacementRule(), 1));
            pairings.add(new Pairing(heads, distinct, 0.5, new WithoutReplacementRule(), 1));
            pairings.add(new Pairing(heads, shaped, 0.5, new TraversalRule(), 1));
            pairings.add(new Pairing(heads, shaped, 0, new WithoutReplacementRule(), 1));
            pairings.add(
                    new Pairing(
                            heads,
                            Drafting.of(new TreePlan.Dynamic(2, 3, 5)),
                            0.5,
                            new SampleAndMatchRule(),
                            1));
            pairings.add(
                    new Pairing(
                            heads,
                            Drafting.of(new TreePlan.Dynamic(2, 2, 4))
                                    .sampledBy(SamplingPolicy.atTemperature(1)),
                            0.4,
                            new SampleAndMatchRule(),
                            2));
            pairings.add(
                    new Pairing(
                            heads,
                            Drafting.of(new TreePlan.LevelWidths(List.of(2, 2))),
                            0,
                            new SampleAndMatchRule(),
                            1));
            pairings.add(
                    new Pairing(
                            heads,
                            Drafting.of(new TreePlan.Coupled(List.of(2, 1))),
                            0,
                            new GumbelCoupledRule(),
                            1));
        }
        return pairings.stream();
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        for (int seed = 0; seed < 2; seed++) {
            assertExact(pairing, seed, drafter -> drafter);
        }
    }

    /// Rows that cost so much that some drafts end early, and by the tokens before a guess.
    @ParameterizedTest
    @EnumSource(Heads.class)
    void draftsThatEndWhereARowIsNotWorthItAreExact(Heads heads) {
        var chain = Drafting.of(new TreePlan.Chain(3));
        for (var pairing :
                List.of(
                        new Pairing(heads, chain, 0, new TokenRejectionRule(), 1),
                        new Pairing(heads, chain, 0, new BlockVerificationRule(), 1),
                        new Pairing(
                                heads,
                                Drafting.of(new TreePlan.SampledPaths(SHAPE, false)),
                                0,
                                new WithoutReplacementRule(),
                                1))) {
            for (double price : new double[] {0.15, 0.3, 0.6}) {
                for (int seed = 0; seed < 2; seed++) {
                    assertThat(error(pairing, seed, drafter -> drafter, new Priced(price)))
                            .as("%s, a row costs %s", pairing, price)
                            .isLessThan(1e-12);
                }
            }
        }
    }

    @Test
    void dearRowsAreFewer() {
        var backbone = new TableBackbone(VOCABULARY, 5, 1);
        var chain = Drafting.of(new TreePlan.Chain(4));
        try (var drafter = drafter(Heads.RNN, backbone, chain, 0, 5)) {
            int before = 4;
            for (double price : new double[] {0.05, 0.2, 0.4, 1}) {
                int drafted = drafted(drafter, price);
                assertThat(drafted).isLessThanOrEqualTo(before);
                before = drafted;
            }
            assertThat(drafted(drafter, 0)).isEqualTo(4);
            assertThat(before).isZero();
        }
    }

    private static int drafted(BlockDrafter drafter, double price) {
        try (var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)))) {
            session.begin(new int[] {2}, new NoStates());
            var randomness = RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0);
            var draft = session.propose(new DraftBudget(4, 4, price), randomness);
            return draft.tree().size() - 1;
        }
    }

    /// As deep as the drafter goes, at a price.
    private record Priced(double price) implements DraftLengthPlan {
        @Override
        public DraftLengthPolicy start() {
            return new DraftLengthPolicy() {
                @Override
                public int next() {
                    return SLOTS;
                }

                @Override
                public double rowPrice() {
                    return price;
                }
            };
        }
    }

    /// The first control (transformers issue 47932 had it): a rule that is told the neighbouring slot's distribution.
    @Test
    void theNeighbouringSlotsDistributionIsNotExact() {
        assertNotExact(
                new Pairing(
                        Heads.NONE,
                        Drafting.of(new TreePlan.Chain(3)),
                        0,
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) -> new WrappedDrafter(drafter, ReportedRows::ofNeighbours));
    }

    @Test
    void theDistributionBeforeTruncationIsNotExact() {
        var policy = new SamplingPolicy(TRUNCATED.temperature(), 0, 1, 0, 1);
        assertNotExact(
                new Pairing(
                        Heads.NONE,
                        Drafting.of(new TreePlan.Chain(3)).sampledBy(TRUNCATED),
                        0,
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) ->
                        new WrappedDrafter(
                                drafter, session -> new Recomputed(session, seed, policy)));
    }

    /// Slots as they are without the head that was drawn with.
    @Test
    void aForgottenMarkovBiasIsNotExact() {
        var policy = new SamplingPolicy(1.3, 0, 1, 0, 1);
        assertNotExact(
                new Pairing(
                        Heads.VANILLA,
                        Drafting.of(new TreePlan.Chain(3)).sampledBy(policy),
                        0,
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) ->
                        new WrappedDrafter(
                                drafter, session -> new Recomputed(session, seed, policy)));
    }

    /// The recomputation itself is right: with what was drawn from, it changes nothing.
    @Test
    void theDistributionThatWasDrawnFromIsExactWhoeverComputesIt() {
        var policy = new SamplingPolicy(1.3, 0, 1, 0, 1);
        for (int seed = 0; seed < 3; seed++) {
            int own = seed;
            assertExact(
                    new Pairing(
                            Heads.NONE,
                            Drafting.of(new TreePlan.Chain(3)).sampledBy(policy),
                            0,
                            new TokenRejectionRule(),
                            1),
                    seed,
                    drafter ->
                            new WrappedDrafter(
                                    drafter, session -> new Recomputed(session, own, policy)));
        }
    }

    /// A head that saw the guess itself would end the draft like this.
    @Test
    void aStopByTheTokenJustDrawnIsNotExact() {
        assertNotExact(
                new Pairing(
                        Heads.NONE,
                        Drafting.of(new TreePlan.Chain(2)),
                        0,
                        new TokenRejectionRule(),
                        1),
                (seed, drafter) ->
                        new WrappedDrafter(drafter, session -> new LosesUnlikely(session)));
    }

    @Test
    void theBackboneRunsOnceARound() {
        for (var plan :
                List.of(
                        new TreePlan.Chain(4),
                        new TreePlan.Dynamic(3, 4, 12),
                        new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1, 1)))) {
            var backbone = new TableBackbone(VOCABULARY, 5, 1);
            try (var drafter = drafter(Heads.RNN, backbone, Drafting.of(plan), 0, 5);
                    var session =
                            drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)))) {
                session.begin(new int[] {2}, new NoStates());
                session.propose(
                        drafter.traits().fullBudget(),
                        RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));

                assertThat(backbone.passes).isEqualTo(1);
            }
        }
    }

    private interface Change {
        Drafter of(int seed, Drafter drafter);
    }

    private static void assertNotExact(Pairing pairing, Change change) {
        double worst = 0;
        for (int seed = 0; seed < 3; seed++) {
            int own = seed;
            worst = Math.max(worst, error(pairing, seed, drafter -> change.of(own, drafter)));
        }
        assertThat(worst).as("largest error of a probability").isGreaterThan(0.02);
    }

    private static double error(Pairing pairing, int seed, UnaryOperator<Drafter> change) {
        return error(pairing, seed, change, FixedLength.drafterLimit());
    }

    private static double error(
            Pairing pairing, int seed, UnaryOperator<Drafter> change, DraftLengthPlan lengths) {
        var model = model(seed);
        try (var drafter = drafter(pairing, seed)) {
            return ExactDistribution.error(
                    decoder(model, change.apply(drafter), pairing, lengths),
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
                    decoder(model, change.apply(drafter), pairing, FixedLength.drafterLimit()),
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

    private static Decoder decoder(
            TableModel model, Drafter drafter, Pairing pairing, DraftLengthPlan lengths) {
        return new Decoder(
                new TokenFeatures(TableTarget.of(model), 1),
                Optional.of(drafter),
                pairing.rule(),
                lengths,
                true,
                () -> 0);
    }

    private static BlockDrafter drafter(Pairing pairing, int seed) {
        return drafter(
                pairing.heads(),
                new TableBackbone(VOCABULARY, 200 + seed, 1.2),
                pairing.drafting(),
                pairing.threshold(),
                seed);
    }

    private static BlockDrafter drafter(
            Heads heads, TableBackbone backbone, Drafting drafting, double threshold, int seed) {
        var random = new Random(seed);
        return new BlockDrafter(
                new BlockDraft(
                        backbone,
                        heads.type().map(type -> markov(type, random)),
                        Optional.of(
                                new ConfidenceHead(
                                        numbers(
                                                random,
                                                TableBackbone.HIDDEN
                                                        + (heads == Heads.NONE ? 0 : RANK)),
                                        0)),
                        new Slots(SLOTS, 2, heads != Heads.GATED),
                        List.of(new HiddenState.AfterLayer(1)),
                        new DraftVocabulary(VOCABULARY, VOCABULARY),
                        new BlockDrafting(drafting, threshold)),
                0,
                "");
    }

    private static MarkovHead markov(HeadForm.Type type, Random random) {
        int hidden = TableBackbone.HIDDEN;
        var mixing =
                switch (type) {
                    case VANILLA -> Optional.<VectorLinear>empty();
                    case GATED -> Optional.of(linear(random, RANK, hidden + RANK));
                    case RNN -> Optional.of(linear(random, 3 * RANK, 2 * RANK + hidden));
                };
        return new MarkovHead(
                new HeadForm.Markov(RANK, type),
                hidden,
                VOCABULARY,
                numbers(random, VOCABULARY * RANK),
                linear(random, VOCABULARY, RANK),
                mixing);
    }

    private static VectorLinear linear(Random random, int outputs, int columns) {
        return VectorLinear.of(
                "test",
                numbers(random, outputs * columns),
                outputs,
                columns,
                Precision.F32,
                Optional.empty());
    }

    private static float[] numbers(Random random, int count) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }

    private static final class NoStates implements HiddenStates {
        @Override
        public int size() {
            return 0;
        }

        @Override
        public MemorySegment hidden(HiddenState which, int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public void close() {}
    }

    /// Rows that a policy makes of the slots, without a Markov head.
    private static final class Recomputed extends ReportedRows {
        private final TableBackbone backbone;
        private final SamplingPolicy policy;
        private final List<Integer> tokens = new ArrayList<>();

        Recomputed(DraftSession session, int seed, SamplingPolicy policy) {
            super(session);
            backbone = new TableBackbone(VOCABULARY, 200 + seed, 1.2);
            this.policy = policy;
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
        protected double[] row(DraftDistributions rows, int node, int last) {
            var context =
                    tokens.subList(0, tokens.size() - 1).stream().map(Integer::floatValue).toList();
            var states = backbone.states(context, tokens.getLast(), SLOTS);
            var own =
                    Arrays.copyOfRange(
                            states, node * TableBackbone.HIDDEN, (node + 1) * TableBackbone.HIDDEN);
            var logits = new float[VOCABULARY];
            backbone.head(own, 1, logits);
            return policy.distribution(
                    MemorySegment.ofArray(logits), VOCABULARY, TokenHistory.of(0));
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
            if (!(draft.selection() instanceof Selection.Independent(var rows))) {
                return draft;
            }
            int[] tokens = draft.tree().tokens();
            int kept = 0;
            var distributions = DraftDistributions.builder();
            while (kept + 1 < tokens.length && rows.row(kept)[tokens[kept + 1]] >= 0.4) {
                distributions.put(kept, rows.row(kept));
                kept++;
            }
            var chain = TokenTree.chain(tokens[0], Arrays.copyOfRange(tokens, 1, kept + 1));
            return new Draft(chain, new Selection.Independent(distributions.build()));
        }
    }
}
