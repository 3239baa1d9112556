package dev.outrider.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.tree.TokenTree;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldTreeTest {
    private final HeldTree held = new HeldTree();

    @Test
    void rowsAboveTheNewRootAreCommitted() {
        var tree = TokenTree.chain(9, 1, 2, 3);
        assertThat(held.check(tree)).isZero();
        held.grow(tree);

        var rows = held.hold(List.of(2, 3));
        assertThat(rows.nodes()).containsExactly(0, 1, 2, 3);
        assertThat(rows.committed()).isEqualTo(2);
        assertThat(held.check(TokenTree.chain(2, 3, 4))).isEqualTo(2);
    }

    @Test
    void aTreeMustBeginWithWhatIsHeldAndGrow() {
        held.grow(TokenTree.chain(9, 1, 2));
        assertThat(held.hold(List.of(0, 1)).committed()).isZero();

        assertThatThrownBy(() -> held.check(TokenTree.chain(9, 2, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not begin with the 2 nodes");
        assertThatThrownBy(() -> held.check(TokenTree.chain(9, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("all 2 nodes");
        assertThatThrownBy(() -> held.hold(List.of(0))).isInstanceOf(IllegalStateException.class);

        held.clear();
        assertThat(held.check(TokenTree.rootOnly(5))).isZero();
    }
}
