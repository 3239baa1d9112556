package dev.outrider.spi.draft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.spi.tree.TreeShape;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DrafterTraitsTest {
    private static final DrafterTraits LOOKUP = DrafterTraits.chain(5);
    private static final DrafterTraits HEADS =
            DrafterTraits.tree(9, 3)
                    .selecting(Selection.Kind.WITHOUT_REPLACEMENT)
                    .readingHiddenStates()
                    .readingRejectedNodes();

    @Test
    void aLookupReadsNothingOfTheTarget() {
        assertThat(LOOKUP.shape()).isEqualTo(TreeShape.CHAIN);
        assertThat(LOOKUP.selections()).containsExactly(Selection.Kind.POINT_MASS);
        assertThat(LOOKUP.needsHiddenStates()).isFalse();
        assertThat(LOOKUP.readsRejectedNodes()).isFalse();
        assertThat(LOOKUP.fullBudget()).isEqualTo(DraftBudget.chain(5));
    }

    @Test
    void whatIsSaidAboutOneTraitLeavesTheOthers() {
        var changed = HEADS.within(4, 2).shaped(TreeShape.CHAIN);

        assertThat(changed.shape()).isEqualTo(TreeShape.CHAIN);
        assertThat(changed.fullBudget()).isEqualTo(new DraftBudget(4, 2));
        assertThat(changed.selections()).isEqualTo(HEADS.selections());
        assertThat(changed.needsHiddenStates()).isTrue();
        assertThat(changed.readsRejectedNodes()).isTrue();
        assertThat(HEADS.selecting(Selection.Kind.INDEPENDENT).readsRejectedNodes()).isTrue();
        assertThat(LOOKUP.readingHiddenStates().readsRejectedNodes()).isFalse();
        assertThat(LOOKUP.readingRejectedNodes().needsHiddenStates()).isFalse();
    }

    @Test
    void aChoiceOfTwoMayBeAllThatEitherIs() {
        for (var both : List.of(LOOKUP.or(HEADS), HEADS.or(LOOKUP))) {
            assertThat(both.shape()).isEqualTo(TreeShape.TREE);
            assertThat(both.selections())
                    .containsExactlyInAnyOrder(
                            Selection.Kind.POINT_MASS, Selection.Kind.WITHOUT_REPLACEMENT);
            assertThat(both.needsHiddenStates()).isTrue();
            assertThat(both.readsRejectedNodes()).isTrue();
            assertThat(both.fullBudget()).isEqualTo(new DraftBudget(9, 5));
        }
        assertThat(LOOKUP.or(LOOKUP)).isEqualTo(LOOKUP);
    }

    /// Reads the record components of the traits, so that the test covers components that are added later.
    @Test
    void noTraitOfEitherIsLostInAChoiceOfTwo() throws ReflectiveOperationException {
        var samples =
                List.of(
                        LOOKUP,
                        HEADS,
                        LOOKUP.readingRejectedNodes(),
                        DrafterTraits.chain(12).readingHiddenStates(),
                        DrafterTraits.tree(64, 2).selecting(Selection.Kind.INDEPENDENT));
        for (var one : samples) {
            for (var other : samples) {
                for (var component : DrafterTraits.class.getRecordComponents()) {
                    var both = component.getAccessor().invoke(one.or(other));
                    assertThat(covers(both, component.getAccessor().invoke(one)))
                            .as("%s of %s or %s", component.getName(), one, other)
                            .isTrue();
                    assertThat(covers(both, component.getAccessor().invoke(other)))
                            .as("%s of %s or %s", component.getName(), one, other)
                            .isTrue();
                }
            }
        }
    }

    private static boolean covers(Object both, Object one) {
        return switch (both) {
            case Boolean declared -> declared || one.equals(false);
            case Integer limit -> limit >= (Integer) one;
            case TreeShape shape -> shape.accommodates((TreeShape) one);
            case Set<?> kinds -> kinds.containsAll((Set<?>) one);
            default -> throw new AssertionError("how is this composed? " + both);
        };
    }

    @Test
    void aPlanSaysShapeSizeAndSelection() {
        var plan = new TreePlan.SampledWithReplacement(List.of(2, 2));

        assertThat(DrafterTraits.following(plan, false))
                .isEqualTo(DrafterTraits.tree(6, 2).selecting(Selection.Kind.INDEPENDENT));
        assertThat(DrafterTraits.following(new TreePlan.Chain(3), true))
                .isEqualTo(DrafterTraits.chain(3));
    }

    @Test
    void anyKindIsEveryKind() {
        assertThat(Selection.Kind.any()).containsExactlyInAnyOrder(Selection.Kind.values());
    }

    @Test
    void limitsAndKindsArePossible() {
        assertThatThrownBy(() -> LOOKUP.selecting())
                .hasMessage("selections must name at least one kind");
        assertThatThrownBy(() -> DrafterTraits.chain(0))
                .hasMessage("maxNodes 0 and maxDepth 0 must satisfy 1 <= maxDepth <= maxNodes");
        assertThatThrownBy(() -> DrafterTraits.tree(4, 0))
                .hasMessage("maxNodes 4 and maxDepth 0 must satisfy 1 <= maxDepth <= maxNodes");
        assertThatThrownBy(() -> DrafterTraits.tree(4, 5))
                .hasMessage("maxNodes 4 and maxDepth 5 must satisfy 1 <= maxDepth <= maxNodes");
        assertThat(DrafterTraits.tree(1, 1).fullBudget()).isEqualTo(DraftBudget.chain(1));
    }
}
