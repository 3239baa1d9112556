package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.TableModel;
import dev.outrider.testkit.TableTarget;
import dev.outrider.testkit.TokenFeatures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests blocks with every kind of heads beside the backbone, drafts that end by confidence, and drafts that end because another
/// row is not worth its cost.
@ParameterizedClass
@EnumSource
class ExactnessTest extends DrafterExactness {
    private static final TreePlan PAIR = new TreePlan.Chain(2);
    private static final TreePlan CHAIN = new TreePlan.Chain(3);
    private static final TreePlan UNEVEN = ExactnessPairing.unevenTree(false);

    private final RandomBlocks blocks;

    ExactnessTest(RandomBlocks.Heads heads) {
        blocks = new RandomBlocks(VOCABULARY, heads);
    }

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter(pairing, 0, seed);
    }

    @Override
    protected TargetModel target(TableModel table, int seed) {
        return new TokenFeatures(TableTarget.of(table), 1);
    }

    @Override
    protected int tables() {
        return 2;
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return blocks.logits(seed, prompt, drafted);
    }

    @TestFactory
    Stream<DynamicTest> draftsThatConfidenceEndsAreExact() {
        var distinct = new TreePlan.SampledWithoutReplacement(List.of(2, 2));
        return Stream.of(
                confident(0.5, ExactnessPairing.of(PAIR, new TokenRejectionRule(), 2)),
                confident(0.5, ExactnessPairing.of(CHAIN, new BlockVerificationRule(), 1)),
                confident(
                        0.45,
                        ExactnessPairing.of(CHAIN, new BlockVerificationRule(), 1)
                                .stoppingBelow(0.4)),
                confident(0.5, ExactnessPairing.of(distinct, new WithoutReplacementRule(), 1)),
                confident(0.5, ExactnessPairing.of(UNEVEN, new TraversalRule(), 1)),
                confident(
                        0.5,
                        ExactnessPairing.of(
                                new TreePlan.Dynamic(2, 3, 5), new SampleAndMatchRule(), 1)),
                confident(
                        0.4,
                        ExactnessPairing.of(
                                        new TreePlan.Dynamic(2, 2, 4), new SampleAndMatchRule(), 2)
                                .sampledBy(SamplingPolicy.atTemperature(1))));
    }

    /// Slots as they would be without the head that the tokens were drawn with.
    @Test
    void aForgottenMarkovBiasIsNotExact() {
        if (blocks.heads() != RandomBlocks.Heads.NONE) {
            assertNotExact(
                    chain(Optional.of(WHOLE)),
                    (seed, session) ->
                            recomputed(
                                    session,
                                    WHOLE,
                                    (prompt, drafted) -> blocks.unbiased(seed, prompt, drafted)));
        }
    }

    private DynamicTest confident(double threshold, ExactnessPairing pairing) {
        return exact(
                "%s, threshold %s".formatted(pairing, threshold),
                seed -> drafter(pairing, threshold, seed),
                pairing.rule(),
                pairing.rounds());
    }

    private Drafter drafter(ExactnessPairing pairing, double threshold, int seed) {
        var drafting =
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty());
        return blocks.drafter(drafting, threshold, seed);
    }
}
