package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.LetterTokenizer;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Tests a small model with every kind of sampling, shape and stop, and features of a tree expander that the tests of every pair of
/// drafter and rule do not cover.
class SmallModelExactnessTest extends DrafterExactness {
    private static final SamplingPolicy ARGMAX = SamplingPolicy.argmax();

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter(Configs.drafting(pairing), seed);
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return network(seed)
                .logitsAfter(
                        IntStream.concat(IntStream.of(prompt), IntStream.of(drafted))
                                .boxed()
                                .toList());
    }

    @TestFactory
    Stream<DynamicTest> otherShapesAndStops() {
        var token = new TokenRejectionRule();
        var distinct = new TreePlan.SampledWithoutReplacement(List.of(2, 2));
        var pair = new TreePlan.SampledPaths(List.of(List.of(0), List.of(1), List.of(1, 0)), false);
        return Stream.of(
                        ExactnessPairing.of(new TreePlan.Chain(3), token, 2).sampledBy(ARGMAX),
                        ExactnessPairing.of(new TreePlan.Chain(3), token, 2).stoppingBelow(0.4),
                        ExactnessPairing.of(new TreePlan.Chain(4), token, 1),
                        ExactnessPairing.of(distinct, new WithoutReplacementRule(), 1)
                                .stoppingBelow(0.3),
                        ExactnessPairing.of(pair, new WithoutReplacementRule(), 2)
                                .stoppingBelow(0.4),
                        ExactnessPairing.of(
                                ExactnessPairing.unevenTree(true), new MultiStepRule(), 1),
                        ExactnessPairing.of(
                                        new TreePlan.LevelWidths(List.of(2, 2, 1)),
                                        new SampleAndMatchRule(),
                                        2)
                                .stoppingBelow(0.4))
                .map(this::exact);
    }

    @TestFactory
    Stream<DynamicTest> treesThatARuleJudgesWithoutKnowingHowTheyWereDrawn() {
        return Stream.<TreePlan>of(
                        new TreePlan.Coupled(List.of(2, 1)),
                        new TreePlan.SampledWithReplacement(List.of(2, 1)),
                        new TreePlan.SampledWithoutReplacement(List.of(2, 2)))
                .map(plan -> exact(ExactnessPairing.of(plan, new SampleAndMatchRule(), 1)));
    }

    @TestFactory
    Stream<DynamicTest> chainsThatStopBeforeAnUncertainDistribution() {
        var drafting =
                Drafting.of(new TreePlan.Chain(3)).stoppingAt(new Drafting.EntropyStop(0.3, 0.5));
        return Stream.of(
                exact(
                        drafting.toString(),
                        seed -> drafter(drafting, seed),
                        new TokenRejectionRule(),
                        2));
    }

    private static TableNetwork network(int seed) {
        return new TableNetwork(VOCABULARY, 200 + seed, 1.5);
    }

    private static Drafter drafter(Drafting drafting, int seed) {
        var model =
                new DraftModel(
                        network(seed),
                        new LetterTokenizer(VOCABULARY),
                        VOCABULARY,
                        100,
                        1,
                        "",
                        Optional.empty());
        return new SmallModelDrafter(Configs.of(drafting), model, VOCABULARY);
    }
}
