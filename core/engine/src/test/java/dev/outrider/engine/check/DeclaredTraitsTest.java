package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeclaredTraitsTest {
    private static final Set<Selection.Kind> TWO =
            Set.of(Selection.Kind.INDEPENDENT, Selection.Kind.WITHOUT_REPLACEMENT);

    @Test
    void aDrafterMayBeLessThanItsFactorySays() {
        var chain = drafter(TreeShape.CHAIN, Set.of(Selection.Kind.INDEPENDENT));

        assertThat(DeclaredTraits.checked("x", traits(TreeShape.TREE, TWO), chain)).isSameAs(chain);
    }

    @Test
    void aDrafterIsNotMoreThanItsFactorySays() {
        var independent = Set.of(Selection.Kind.INDEPENDENT);

        assertThatThrownBy(() ->
                        DeclaredTraits.checked(
                                "x",
                                traits(TreeShape.CHAIN, independent),
                                drafter(TreeShape.CHAIN, TWO)))
                .hasMessageContaining(
                        "drafter 'x' chooses nodes as [INDEPENDENT, WITHOUT_REPLACEMENT] once it is loaded, expected [INDEPENDENT]");
        assertThatThrownBy(() ->
                        DeclaredTraits.checked(
                                "x",
                                traits(TreeShape.CHAIN, independent),
                                drafter(TreeShape.TREE, independent)))
                .hasMessageContaining("drafter 'x' proposes trees once it is loaded");
    }

    private static DrafterTraits traits(TreeShape shape, Set<Selection.Kind> selections) {
        return DrafterTraits.chain(4).shaped(shape).selecting(selections);
    }

    private static Drafter drafter(TreeShape shape, Set<Selection.Kind> selections) {
        return new Drafter() {
            @Override
            public DrafterTraits traits() {
                return DeclaredTraitsTest.traits(shape, selections);
            }

            @Override
            public DraftSession open(DraftRequest request) {
                throw new AssertionError("nothing is drafted");
            }

            @Override
            public void close() {}
        };
    }
}
