package dev.outrider.drafter.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.drafting.Drafting;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.testkit.NoStates;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tests how often a round runs the backbone, and how long its draft is at the cost of a row.
class BlockSessionTest {
    private static final RandomBlocks BLOCKS = new RandomBlocks(3, RandomBlocks.Heads.RNN);

    @Test
    void theBackboneRunsOnceARound() {
        for (var plan :
                List.of(
                        new TreePlan.Chain(4),
                        new TreePlan.Dynamic(3, 4, 12),
                        new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1, 1)))) {
            var backbone = new TableBackbone(3, 5, 1);
            try (var drafter = drafter(backbone, plan)) {
                draft(drafter, drafter.traits().fullBudget());

                assertThat(backbone.passes).isEqualTo(1);
            }
        }
    }

    @Test
    void aHigherThresholdEndsDraftsEarlier() {
        int before = 4;
        for (double threshold : new double[] {0.05, 0.2, 0.4, 1}) {
            int drafted = drafted(threshold);
            assertThat(drafted).isLessThanOrEqualTo(before);
            before = drafted;
        }
        assertThat(drafted(0)).isEqualTo(4);
        assertThat(before).isZero();
    }

    private static BlockDrafter drafter(TableBackbone backbone, TreePlan plan) {
        return BLOCKS.drafter(backbone, Drafting.of(plan), 0, 5);
    }

    private static int drafted(double threshold) {
        var drafting = Drafting.of(new TreePlan.Chain(4));
        try (var drafter = BLOCKS.drafter(new TableBackbone(3, 5, 1), drafting, threshold, 5)) {
            return draft(drafter, new DraftBudget(4, 4)).tree().draftedNodes();
        }
    }

    private static Draft draft(BlockDrafter drafter, DraftBudget budget) {
        try (var session = drafter.open(new DraftRequest(40, SamplingPolicy.atTemperature(1)))) {
            session.begin(new int[] {2}, new NoStates());
            return session.propose(
                    budget, RandomnessSource.of(new KeyedRandomStreams(1, 1)).round(0));
        }
    }
}
