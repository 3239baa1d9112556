package dev.outrider.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TreePlanTest {
    @Test
    void widthsCountTheNodesOfEveryLevel() {
        var plan = new TreePlan.LevelWidths(List.of(3, 2, 1));

        assertThat(plan.maxNodes()).isEqualTo(3 + 6 + 6);
        assertThat(plan.maxDepth()).isEqualTo(3);
    }

    @Test
    void aDynamicTreeIsNoDeeperThanItsNodes() {
        assertThat(new TreePlan.Dynamic(4, 8, 3).maxDepth()).isEqualTo(3);
    }

    @Test
    void onlyAChainsSelectionDependsOnTheDraftersSampling() {
        assertThat(new TreePlan.Chain(3).selection(true)).isEqualTo(SelectionKind.POINT_MASS);
        assertThat(new TreePlan.Chain(3).selection(false)).isEqualTo(SelectionKind.INDEPENDENT);
        assertThat(new TreePlan.SampledWithReplacement(List.of(2)).selection(true))
                .isEqualTo(SelectionKind.INDEPENDENT);
        assertThat(new TreePlan.SampledWithoutReplacement(List.of(2)).selection(true))
                .isEqualTo(SelectionKind.WITHOUT_REPLACEMENT);
        assertThat(new TreePlan.Dynamic(2, 2, 2).selection(false))
                .isEqualTo(SelectionKind.POINT_MASS);
    }

    @Test
    void rankPathsNeedEveryPrefix() {
        assertThatThrownBy(() -> new TreePlan.RankPaths(List.of(List.of(0), List.of(1, 0))))
                .hasMessage("rank path [1, 0] has no parent path");
        assertThatThrownBy(() -> new TreePlan.RankPaths(List.of(List.of(0), List.of(0))))
                .hasMessage("rank path [0] is listed twice");
        assertThatThrownBy(() -> new TreePlan.RankPaths(List.of(List.of(-1))))
                .hasMessage("rank path [-1] must list ranks >= 0");
        assertThatThrownBy(() -> new TreePlan.RankPaths(List.of()))
                .hasMessage("at least one rank path is needed");
    }

    @Test
    void rankPathsMayStandInAnyOrder() {
        var plan = new TreePlan.RankPaths(List.of(List.of(0, 1), List.of(0)));

        assertThat(plan.maxNodes()).isEqualTo(2);
        assertThat(plan.maxDepth()).isEqualTo(2);
    }

    @Test
    void sizesMustBePositive() {
        assertThatThrownBy(() -> new TreePlan.Chain(0)).hasMessage("length 0 is not positive");
        assertThatThrownBy(() -> new TreePlan.LevelWidths(List.of(2, 0)))
                .hasMessage("widths [2, 0] must be positive, at least one");
        assertThatThrownBy(() -> new TreePlan.LevelWidths(List.of(100_000, 100_000)))
                .isInstanceOf(ArithmeticException.class);
    }
}
