package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Tables pass the enumeration of drafters; a drafter that states another distribution than it drew
/// from fails.
class DrafterExactnessTest extends DrafterExactness {
    @Override
    protected Drafter drafter(ExactnessPairing pairing, int seed) {
        return new TableDrafter(
                table(seed), pairing.plan(), pairing.sampling().orElse(DrafterExactness.TARGET));
    }

    /// Tables have no stops, no dynamic trees and no noise.
    @Override
    protected List<ExactnessPairing> pairings() {
        return ExactnessPairing.all().stream()
                .filter(pairing -> pairing.stopBelow() == 0)
                .filter(pairing -> !(pairing.plan() instanceof TreePlan.Dynamic))
                .filter(pairing -> !(pairing.plan() instanceof TreePlan.Coupled))
                .toList();
    }

    @Override
    protected float[] logits(int seed, int[] prompt, int[] drafted) {
        return table(seed)
                .logits(IntStream.concat(IntStream.of(prompt), IntStream.of(drafted)).toArray());
    }

    private static TableModel table(int seed) {
        return TableModel.random(VOCABULARY, DistributionStyle.DENSE, 60 + seed);
    }

    @Test
    void aDrafterThatStatesItsNeighboursDistributionsIsFound() {
        var faulty = new Faulty();
        assertThatThrownBy(() -> faulty.exact(pairings().getFirst()).getExecutable().execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("largest error of any probability");
        assertThatThrownBy(faulty::theDistributionBeforeTruncationIsNotExact)
                .isInstanceOf(AssertionError.class);
    }

    /// States its neighbours' distributions, and does not truncate, so the control of truncation
    /// finds nothing.
    private static final class Faulty extends DrafterExactness {
        @Override
        protected Drafter drafter(ExactnessPairing pairing, int seed) {
            var honest = new TableDrafter(table(seed), pairing.plan(), WHOLE);
            return pairing.sampling().isPresent()
                    ? honest
                    : new WrappedDrafter(honest, ReportedRows::ofNeighbours);
        }

        @Override
        protected float[] logits(int seed, int[] prompt, int[] drafted) {
            return new DrafterExactnessTest().logits(seed, prompt, drafted);
        }
    }
}
