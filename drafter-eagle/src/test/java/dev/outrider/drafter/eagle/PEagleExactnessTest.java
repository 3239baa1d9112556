package dev.outrider.drafter.eagle;

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
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Rounds of drafting in one pass, judging and observing, enumerated over every random outcome: the tokens follow the target's
/// distribution exactly, and do not where the rule is told another distribution than the one that was drawn from.
class PEagleExactnessTest {
    private static final int VOCABULARY = 3;
    private static final int MASK = 2;
    private static final float FEATURE = 0.5f;
    private static final int[] PROMPT = {1, 0};
    private static final SamplingPolicy TARGET = new SamplingPolicy(0.8, 0, 1, 0, 1.2);
    private static final SamplingPolicy TRUNCATED = new SamplingPolicy(1.3, 2, 1, 0, 1);

    private static final List<List<Integer>> SHAPE =
            List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 1), List.of(1, 0, 0));

    private record Pairing(Drafting drafting, AcceptanceRule rule, int rounds) {
        @Override
        public String toString() {
            return "%s, %s, %d rounds".formatted(drafting.plan(), rule.traits().name(), rounds);
        }
    }

    private static final Pairing CHAIN =
            new Pairing(Drafting.of(new TreePlan.Chain(3)), new TokenRejectionRule(), 1);

    private static final Pairing TRUNCATED_CHAIN =
            new Pairing(
                    Drafting.of(new TreePlan.Chain(3)).sampledBy(TRUNCATED),
                    new TokenRejectionRule(),
                    1);

    static Stream<Pairing> pairings() {
        var chain = Drafting.of(new TreePlan.Chain(3));
        var distinct = Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(2, 2)));
        var shaped = Drafting.of(new TreePlan.SampledPaths(SHAPE, false));
        return Stream.of(
                CHAIN,
                TRUNCATED_CHAIN,
                new Pairing(Drafting.of(new TreePlan.Chain(2)), new TokenRejectionRule(), 2),
                new Pairing(chain.stoppingBelow(0.4), new BlockVerificationRule(), 1),
                new Pairing(
                        Drafting.of(new TreePlan.SampledWithReplacement(List.of(2, 1))),
                        new MultiStepRule(),
                        1),
                new Pairing(distinct, new WithoutReplacementRule(), 1),
                new Pairing(shaped, new TraversalRule(), 1),
                new Pairing(shaped, new WithoutReplacementRule(), 1),
                new Pairing(
                        Drafting.of(new TreePlan.Dynamic(2, 3, 5)), new SampleAndMatchRule(), 2),
                new Pairing(
                        Drafting.of(new TreePlan.LevelWidths(List.of(2, 2))),
                        new SampleAndMatchRule(),
                        1),
                new Pairing(
                        Drafting.of(new TreePlan.Coupled(List.of(2, 1))),
                        new GumbelCoupledRule(),
                        1));
    }

    @ParameterizedTest
    @MethodSource("pairings")
    void tokensFollowTheTargetsDistribution(Pairing pairing) {
        for (int seed = 0; seed < 2; seed++) {
            assertThat(error(pairing, seed, (_, session) -> session)).isLessThan(1e-12);
        }
    }

    @Test
    void theNeighbouringSlotsDistributionIsNotExact() {
        assertThat(worst(CHAIN, (_, session) -> ReportedRows.ofNeighbours(session)))
                .isGreaterThan(0.02);
    }

    @Test
    void theDistributionBeforeTruncationIsNotExact() {
        var whole = new SamplingPolicy(TRUNCATED.temperature(), 0, 1, 0, 1);
        assertThat(worst(TRUNCATED_CHAIN, (seed, session) -> new Recomputed(session, seed, whole)))
                .isGreaterThan(0.02);
    }

    /// The recomputation itself is right, and with it what a guess sees: true features with the tokens after them, and the masks before it.
    @Test
    void theDistributionThatWasDrawnFromIsExactWhoeverComputesIt() {
        assertThat(
                        worst(
                                TRUNCATED_CHAIN,
                                (seed, session) -> new Recomputed(session, seed, TRUNCATED)))
                .isLessThan(1e-12);
    }

    @Test
    void theModelRunsOnceARound() {
        var layer = new TableLayer(VOCABULARY, 5, 1);
        var target =
                new TokenFeatures(
                        TableTarget.of(TableModel.random(VOCABULARY, DistributionStyle.DENSE, 1)),
                        1);
        int[] prompt = {2, 1, 0};
        try (var drafter = drafter(layer, Drafting.of(new TreePlan.Dynamic(3, 4, 12)));
                var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)));
                var sequence = target.open(new SessionRequest(40, drafter.hiddenStates()))) {
            session.begin(prompt, sequence.prefill(new int[] {2, 1}));
            for (int round = 0; round < 2; round++) {
                // Asked twice, it runs the root's row again.
                session.propose(
                        drafter.traits().fullBudget(),
                        RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));
            }
        }
        assertThat(layer.passRows).containsExactly(2 + 3, 1 + 3);
    }

    private static double worst(
            Pairing pairing, BiFunction<Integer, DraftSession, DraftSession> change) {
        double worst = 0;
        for (int seed = 0; seed < 3; seed++) {
            worst = Math.max(worst, error(pairing, seed, change));
        }
        return worst;
    }

    private static double error(
            Pairing pairing, int seed, BiFunction<Integer, DraftSession, DraftSession> change) {
        var model =
                TableModel.random(
                        VOCABULARY,
                        DistributionStyle.values()[seed % DistributionStyle.values().length],
                        seed);
        try (var drafter = drafter(layer(seed), pairing.drafting())) {
            var decoder =
                    new Decoder(
                            new TokenFeatures(TableTarget.of(model), 1),
                            Optional.of(
                                    new WrappedDrafter(
                                            drafter, session -> change.apply(seed, session))),
                            pairing.rule(),
                            FixedLength.drafterLimit(),
                            true,
                            () -> 0);
            return ExactDistribution.error(decoder, model, TARGET, PROMPT, pairing.rounds(), 4);
        }
    }

    private static TableLayer layer(int seed) {
        return new TableLayer(VOCABULARY, 200 + seed, 1.5);
    }

    private static Drafter drafter(TableLayer layer, Drafting drafting) {
        return new ParallelDrafter(
                new ParallelDraft(
                        layer,
                        List.of(new HiddenState.AfterLayer(1)),
                        new MaskRow(MASK, new float[] {FEATURE}),
                        new DraftVocabulary(VOCABULARY, VOCABULARY),
                        drafting),
                1,
                "");
    }

    /// Rows that a policy makes of the network's logits after the committed tokens and masks.
    private static final class Recomputed extends ReportedRows {
        private final TableLayer layer;
        private final SamplingPolicy policy;
        private final List<Integer> tokens = new ArrayList<>();

        Recomputed(DraftSession session, int seed, SamplingPolicy policy) {
            super(session);
            layer = layer(seed);
            this.policy = policy;
        }

        @Override
        public void begin(int[] prompt, HiddenStates states) {
            super.begin(prompt, states);
            Arrays.stream(prompt).forEach(tokens::add);
        }

        @Override
        protected double[] row(DraftDistributions rows, int node, int last) {
            var seen = new ArrayList<List<Float>>();
            for (int position = 0; position + 1 < tokens.size(); position++) {
                seen.add(List.of((float) tokens.get(position + 1), (float) tokens.get(position)));
            }
            seen.addAll(Collections.nCopies(node, List.of((float) MASK, FEATURE)));
            return policy.distribution(
                    MemorySegment.ofArray(layer.logitsAfter(seen)), VOCABULARY, TokenHistory.of(0));
        }
    }
}
