package dev.outrider.drafter.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RankedDraftingTest {
    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatThrownBy(() -> drafting(0, 6)).hasMessage("nodes 0 must be between 1 and 512");
        assertThatThrownBy(() -> drafting(513, 6))
                .hasMessage("nodes 513 must be between 1 and 512");
        assertThatThrownBy(() -> drafting(80, 0)).hasMessage("depth 0 must be between 1 and 32");
        assertThatThrownBy(() -> drafting(80, 33)).hasMessage("depth 33 must be between 1 and 32");
        assertThatThrownBy(() -> drafting(new TreePlan.SampledWithReplacement(List.of(2))))
                .hasMessageStartingWith("tree 'sampled-with-replacement' cannot be used");
    }

    @Test
    void theTreeStandsInPlaceOfNodesAndDepth() {
        var chain = drafting(new TreePlan.Chain(3)).traits();

        assertThat(chain.shape()).isEqualTo(TreeShape.CHAIN);
        assertThat(chain.maxNodes()).isEqualTo(3);
        assertThat(chain.readsRejectedNodes()).isFalse();
        assertThat(drafting(80, 6).traits().shape()).isEqualTo(TreeShape.TREE);
        assertThat(drafting(1, 6).traits().shape()).isEqualTo(TreeShape.CHAIN);
    }

    private static RankedDrafting drafting(int nodes, int depth) {
        return new RankedDrafting(nodes, depth, Optional.empty(), true, false);
    }

    private static RankedDrafting drafting(TreePlan tree) {
        return new RankedDrafting(1, 1, Optional.of(tree), true, false);
    }
}
