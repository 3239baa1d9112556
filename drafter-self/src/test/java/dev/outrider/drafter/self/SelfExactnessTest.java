package dev.outrider.drafter.self;

import dev.outrider.drafter.self.SelfDrafter.LayerChoice;
import dev.outrider.drafter.self.SkipSearch.SubLayers;
import dev.outrider.drafting.Drafting;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.TableModel;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Exactness of self-speculation, whatever distributions the layers give.
class SelfExactnessTest extends DrafterExactness {
    private static final LayerSubset FIRST = new LayerSubset.First(1);

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return drafter("early-exit", pairing, () -> (_, _) -> FIRST);
    }

    @Override
    protected TargetModel target(TableModel table, int seed) {
        return LayeredTable.random(table, seed);
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return LayeredTable.some(VOCABULARY, seed, FIRST)
                .logits(IntStream.concat(IntStream.of(prompt), IntStream.of(drafted)).toArray());
    }

    @Override
    protected int firstControl() {
        return LayeredTable.DENSE;
    }

    /// With a search along the text: the drafting layers depend on the text, and never on what is
    /// drawn.
    @TestFactory
    Stream<DynamicTest> tokensFollowTheTargetsDistributionWhicheverLayersAreFound() {
        return Stream.of(
                        ExactnessPairing.of(new TreePlan.Chain(2), new TokenRejectionRule(), 2),
                        ExactnessPairing.of(
                                new TreePlan.SampledWithoutReplacement(List.of(2, 2)),
                                new WithoutReplacementRule(),
                                1),
                        ExactnessPairing.of(
                                new TreePlan.Dynamic(2, 3, 5), new SampleAndMatchRule(), 2))
                .map(pairing ->
                        exact(
                                pairing.toString(),
                                seed -> drafter("swift", pairing, () -> search(seed)),
                                pairing.rule(),
                                pairing.rounds()));
    }

    private static LayerChoice search(int seed) {
        var search = new SwiftConfig.Search(8, 2, 1, seed);
        return new SkipSearch(
                SubLayers.spread(5, 0.4), search, new SplittableRandom(search.seed()));
    }

    private static Drafter drafter(
            String name, ExactnessPairing pairing, Supplier<LayerChoice> layers) {
        return new SelfDrafter(
                name,
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty()),
                VOCABULARY,
                layers);
    }
}
