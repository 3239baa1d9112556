package dev.outrider.engine.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DeclaredTraitsTest {
    private static final Set<Selection.Kind> TWO =
            Set.of(Selection.Kind.INDEPENDENT, Selection.Kind.WITHOUT_REPLACEMENT);

    @Test
    void aDrafterMayHaveFewerTraitsThanItsFactoryDeclares() {
        var chain = traits(TreeShape.CHAIN, Set.of(Selection.Kind.INDEPENDENT));

        assertThatCode(() -> Compatibility.requireDeclared("x", traits(TreeShape.TREE, TWO), chain))
                .doesNotThrowAnyException();
    }

    @Test
    void aDrafterIsNotMoreThanItsFactorySays() {
        var independent = Set.of(Selection.Kind.INDEPENDENT);

        assertThatThrownBy(() ->
                        Compatibility.requireDeclared(
                                "x",
                                traits(TreeShape.CHAIN, independent),
                                traits(TreeShape.CHAIN, TWO)))
                .hasMessageContaining(
                        "drafter 'x' chooses nodes as [INDEPENDENT, WITHOUT_REPLACEMENT] once it is loaded, expected [INDEPENDENT]");
        assertThatThrownBy(() ->
                        Compatibility.requireDeclared(
                                "x",
                                traits(TreeShape.CHAIN, independent),
                                traits(TreeShape.TREE, independent)))
                .hasMessageContaining("drafter 'x' proposes trees once it is loaded");
    }

    private static DrafterTraits traits(TreeShape shape, Set<Selection.Kind> selections) {
        return DrafterTraits.chain(4).shaped(shape).selecting(selections);
    }
}
