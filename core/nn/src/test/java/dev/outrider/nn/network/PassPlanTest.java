package dev.outrider.nn.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.tree.TokenTree;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A pass with invalid arguments changes nothing and reports the reason.
class PassPlanTest {
    private final VectorNetwork network = network();
    private final KvCache cache = network.newCache(8);

    private static VectorNetwork network() {
        var config = new Cases(1).config();
        return new VectorNetwork(config, new RandomWeights(config, 1, 1), Precision.F32);
    }

    @AfterEach
    void close() {
        cache.close();
        network.close();
    }

    @Test
    void refusesTokensAndPositionsOutOfRange() {
        refuses(RowBlock.continuing(cache, 3, 31), "token 31 is not between 0 and 30");
        refuses(
                new RowBlock(cache, new int[] {1}, new int[] {64}, new RowMask.Causal()),
                "position 64 is not between 0 and 63");
    }

    @Test
    void logitsAreOfTheLastRowsThatAreAskedFor() {
        var block = RowBlock.continuing(cache, 1, 2, 3, 4);
        var config = new Cases(1).config();
        assertThat(PassPlan.of(List.of(block), PassOutputs.lastLogits(2), config).logitRow())
                .containsExactly(-1, -1, 0, 1);
        assertThat(PassPlan.of(List.of(block), PassOutputs.lastLogits(9), config).logitRow())
                .containsExactly(0, 1, 2, 3);
        assertThatThrownBy(() -> PassOutputs.lastLogits(0)).hasMessage("lastRows is 0");
    }

    @Test
    void refusesRowsThatDoNotFit() {
        refuses(RowBlock.continuing(cache, new int[9]), "9 rows do not fit: 0 of 8 are used");
    }

    @Test
    void refusesMasksThatHideARowFromItself() {
        var other = new BitSet();
        other.set(1);
        refuses(
                new RowBlock(
                        cache, new int[] {1}, new int[] {0}, new RowMask.Ancestors(List.of(other))),
                "row 0 sees {1}, which must contain itself, 0, and nothing from 1 on");
    }

    @Test
    void refusesOneCacheInTwoBlocks() {
        var block = RowBlock.continuing(cache, 1);
        assertThatThrownBy(() -> network.forward(List.of(block, block), PassOutputs.allLogits()))
                .hasMessage("a cache occurs in two blocks of a pass");
    }

    @Test
    void refusesHiddenStatesOfLayersItLacks() {
        var outputs =
                new PassOutputs(PassOutputs.LogitRows.NONE, Set.of(new HiddenState.AfterLayer(9)));
        assertThatThrownBy(() -> network.forward(List.of(RowBlock.continuing(cache, 1)), outputs))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("AfterLayer[layers=9] of a network with ");
    }

    @Test
    void reportsOnlyWhatWasAskedFor() {
        try (var result =
                network.forward(
                        List.of(RowBlock.continuing(cache, 1, 2)),
                        new PassOutputs(PassOutputs.LogitRows.LAST, Set.of()))) {
            assertThat(result.rows()).isEqualTo(2);
            assertThat(result.logits(1).byteSize()).isEqualTo(31 * Float.BYTES);
            assertThatThrownBy(() -> result.logits(0)).hasMessage("row 0 has no logits");
            assertThatThrownBy(() -> result.hidden(new HiddenState.AfterFinalNorm(), 0))
                    .hasMessage("AfterFinalNorm[] was not asked for");
        }
    }

    @Test
    void turnsAChainIntoCausalRows() {
        assertThat(RowBlock.ofTree(cache, TokenTree.chain(1, 2, 3)).mask())
                .isEqualTo(new RowMask.Causal());
        var tree = TokenTree.builder(1);
        tree.add(0, 2);
        tree.add(0, 3);
        var block = RowBlock.ofTree(cache, tree.build());
        assertThat(block.positions()).containsExactly(0, 1, 1);
        assertThat(block.mask()).isInstanceOf(RowMask.Ancestors.class);
    }

    private void refuses(RowBlock block, String message) {
        assertThatThrownBy(() -> network.forward(List.of(block), PassOutputs.allLogits()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(cache.used()).isZero();
    }
}
