package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import org.junit.jupiter.api.Test;

class FirstDraftTest {
    private static final TableModel MODEL =
            TableModel.of(
                    3,
                    prefix -> prefix.size() < 3 ? new double[] {0, 1, 0} : new double[] {1, 0, 0});

    @Test
    void theDraftFollowsTheTextWithinTheBudget() {
        var drafter = new TableDrafter(MODEL, new TreePlan.Chain(4), SamplingPolicy.argmax());

        assertThat(FirstDraft.of(drafter, DraftBudget.chain(3), 0, 2).tree())
                .isEqualTo(TokenTree.chain(2, 1, 0, 0));
        assertThat(FirstDraft.of(drafter, DraftBudget.chain(0), 0, 2).tree())
                .isEqualTo(TokenTree.rootOnly(2));
    }
}
