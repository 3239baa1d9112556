package dev.outrider.drafter.medusa.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.head.SequenceDrafter;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.ReportedRows;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests heads that see the tokens drafted before a guess: every node has the distribution of its own path.
@ParameterizedClass
@EnumSource
class ExactnessTest extends DrafterExactness {
    private static final int HIDDEN = RandomSequenceHeads.HIDDEN;

    private final RandomSequenceHeads.Kind kind;

    ExactnessTest(RandomSequenceHeads.Kind kind) {
        this.kind = kind;
    }

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter(
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty()),
                Optional.empty(),
                seed);
    }

    @Override
    protected TargetModel target(TableModel table, int seed) {
        return new TokenFeatures(TableTarget.of(table), HIDDEN);
    }

    @Override
    protected int tables() {
        return 2;
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return logits(seed, prompt, drafted, false);
    }

    @TestFactory
    Stream<DynamicTest> aBeamIsExact() {
        var beam = new TreePlan.Dynamic(2, 2, 4);
        return Stream.of(
                exact(
                        beam.toString(),
                        seed ->
                                drafter(
                                        Drafting.of(new TreePlan.Chain(1)),
                                        Optional.of(beam),
                                        seed),
                        new SampleAndMatchRule(),
                        2));
    }

    /// The logits are computed as if all nodes of a depth had the same distribution.
    @Test
    void theDistributionOfTheSiblingsPathIsNotExact() {
        var tree =
                ExactnessPairing.of(
                                new TreePlan.SampledWithReplacement(List.of(2, 1)),
                                new MultiStepRule(),
                                1)
                        .sampledBy(WHOLE);
        assertNotExact(tree, (_, session) -> new Siblings(session));
    }

    /// The logits are those of a head that has not seen the last token.
    @Test
    void aForgottenLastTokenIsNotExact() {
        assertNotExact(
                chain(Optional.of(WHOLE)),
                (seed, session) ->
                        recomputed(
                                session,
                                WHOLE,
                                (prompt, drafted) -> logits(seed, prompt, drafted, true)));
    }

    /// Every token drafted before counts: two paths with the same last tokens have different distributions.
    @Test
    void nodesOfOneDepthAndTokenHaveDistributionsOfTheirOwn() {
        var logits = new float[2 * VOCABULARY];
        try (var heads = RandomSequenceHeads.of(kind, VOCABULARY, 3)) {
            var root =
                    heads.after(
                            List.of(heads.start(TokenFeatures.powers(1, HIDDEN))), new int[] {0});
            var first = heads.after(List.of(root.getFirst(), root.getFirst()), new int[] {1, 2});
            heads.logits(2, heads.after(first, new int[] {0, 0}), logits);
        }
        assertThat(Arrays.copyOf(logits, VOCABULARY))
                .isNotEqualTo(Arrays.copyOfRange(logits, VOCABULARY, 2 * VOCABULARY));
    }

    private Drafter drafter(Drafting drafting, Optional<TreePlan.Dynamic> beam, int seed) {
        return new SequenceDrafter(
                RandomSequenceHeads.of(kind, VOCABULARY, seed), drafting, beam, 0, "");
    }

    /// @param forgetful whether the last token's change of the state is dropped
    private float[] logits(int seed, int[] prompt, int[] drafted, boolean forgetful) {
        int before = prompt[prompt.length - 2];
        var logits = new float[VOCABULARY];
        try (var heads = RandomSequenceHeads.of(kind, VOCABULARY, seed)) {
            var states = List.of(heads.start(TokenFeatures.powers(before, HIDDEN)));
            states = heads.after(states, new int[] {prompt[prompt.length - 1]});
            for (int token : drafted) {
                states = heads.after(states, new int[] {token});
            }
            if (forgetful) {
                float[] state = states.getFirst();
                Arrays.fill(state, state.length - HIDDEN, state.length, 0);
            }
            heads.logits(drafted.length, states, logits);
        }
        return logits;
    }

    private static final class Siblings extends ReportedRows {
        Siblings(DraftSession session) {
            super(session);
        }

        @Override
        protected double[] row(TokenTree tree, DraftDistributions rows, int node) {
            return node == 0 ? rows.row(0) : rows.row(3 - node);
        }
    }
}
