package dev.outrider.drafter.self;

import dev.outrider.drafting.Drafting;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterExactness;
import dev.outrider.testkit.ExactnessPairing;
import dev.outrider.testkit.TableModel;
import java.util.Optional;
import java.util.stream.IntStream;

/// Tests the exactness of self-speculation for all distributions that the layers give.
class SelfExactnessTest extends DrafterExactness {
    private static final LayerSubset FIRST = new LayerSubset.First(1);

    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return new SelfDrafter(
                "early-exit",
                new Drafting(
                        Optional.empty(),
                        Optional.of(pairing.plan()),
                        pairing.sampling().map(Drafting.Sampling::of),
                        pairing.stopBelow(),
                        Optional.empty()),
                VOCABULARY,
                FIRST);
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
}
