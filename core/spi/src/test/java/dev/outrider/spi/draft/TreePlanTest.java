package dev.outrider.spi.draft;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
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
        assertThat(new TreePlan.Chain(3).selection(true)).isEqualTo(Selection.Kind.POINT_MASS);
        assertThat(new TreePlan.Chain(3).selection(false)).isEqualTo(Selection.Kind.INDEPENDENT);
        assertThat(new TreePlan.SampledWithReplacement(List.of(2)).selection(true))
                .isEqualTo(Selection.Kind.INDEPENDENT);
        assertThat(new TreePlan.SampledWithoutReplacement(List.of(2)).selection(true))
                .isEqualTo(Selection.Kind.WITHOUT_REPLACEMENT);
        assertThat(new TreePlan.Dynamic(2, 2, 2).selection(false))
                .isEqualTo(Selection.Kind.POINT_MASS);
    }

    @Test
    void everyPlanSaysHowLargeItsDraftsMayBe() {
        var paths = List.of(List.of(0), List.of(1), List.of(1, 0), List.of(1, 0, 0));
        for (var plan :
                List.of(
                        new TreePlan.RankPaths(paths),
                        new TreePlan.SampledPaths(paths, true),
                        new TreePlan.SampledPaths(paths, false))) {
            assertThat(DrafterTraits.following(plan, false).fullBudget())
                    .isEqualTo(new DraftBudget(4, 3));
        }
        for (var plan :
                List.of(
                        new TreePlan.LevelWidths(List.of(2, 1)),
                        new TreePlan.Coupled(List.of(2, 1)),
                        new TreePlan.SampledWithReplacement(List.of(2, 1)),
                        new TreePlan.SampledWithoutReplacement(List.of(2, 1)))) {
            assertThat(DrafterTraits.following(plan, false).fullBudget())
                    .isEqualTo(new DraftBudget(4, 2));
        }
        assertThat(new TreePlan.Dynamic(4, 2, 3).maxDepth()).isEqualTo(2);
        assertThat(new TreePlan.Dynamic(4, 2, 3).maxNodes()).isEqualTo(3);
        assertThat(new TreePlan.Coupled(List.of(2)).selection(false))
                .isEqualTo(Selection.Kind.POINT_MASS);
        assertThat(new TreePlan.RankPaths(paths).selection(false))
                .isEqualTo(Selection.Kind.POINT_MASS);
        assertThat(new TreePlan.LevelWidths(List.of(2)).selection(false))
                .isEqualTo(Selection.Kind.POINT_MASS);
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
        assertThatThrownBy(() -> new TreePlan.Chain(0))
                .hasMessage("length 0 is not between 1 and 256");
        assertThatThrownBy(() -> new TreePlan.LevelWidths(List.of(2, 0)))
                .hasMessage("widths [2, 0] must be positive, at least one");
        for (int bad = 0; bad < 3; bad++) {
            int[] sizes = {4, 2, 3};
            sizes[bad] = 0;
            assertThatThrownBy(() -> new TreePlan.Dynamic(sizes[0], sizes[1], sizes[2]))
                    .hasMessageMatching("\\w+ 0 is not between 1 and \\d+");
        }
        assertThatThrownBy(() -> new TreePlan.SampledWithReplacement(List.of(0)))
                .hasMessage("widths [0] must be positive, at least one");
        assertThatThrownBy(() -> new TreePlan.SampledWithoutReplacement(List.of()))
                .hasMessage("widths [] must be positive, at least one");
        assertThatThrownBy(() -> new TreePlan.Coupled(List.of(-1)))
                .hasMessage("widths [-1] must be positive, at least one");
    }

    @Test
    void everyPlanHasLimits() {
        assertThat(new TreePlan.Chain(256).maxNodes()).isEqualTo(256);
        assertThatThrownBy(() -> new TreePlan.Chain(257))
                .hasMessage("length 257 is not between 1 and 256");
        assertThat(new TreePlan.LevelWidths(List.of(4096)).maxNodes()).isEqualTo(4096);
        assertThatThrownBy(() -> new TreePlan.LevelWidths(List.of(2_000_000_000, 2_000_000_000)))
                .hasMessage("widths [2000000000, 2000000000] make more than 4096 nodes");
        assertThatThrownBy(() -> new TreePlan.Coupled(nCopies(3_000, 1)))
                .hasMessage("widths has 3000 levels, expected at most 256");
        assertThatThrownBy(() -> new TreePlan.Dynamic(4, 5_000, 64))
                .hasMessage("depth 5000 is not between 1 and 256");
        assertThatThrownBy(() -> new TreePlan.Dynamic(4, 5, 5_000))
                .hasMessage("totalNodes 5000 is not between 1 and 4096");
    }

    @Test
    void explicitTreesHaveLimits() {
        var wide = IntStream.rangeClosed(0, 4096).mapToObj(List::of).toList();
        assertThat(new TreePlan.RankPaths(wide.subList(0, 4096)).maxNodes()).isEqualTo(4096);
        assertThatThrownBy(() -> new TreePlan.RankPaths(wide))
                .hasMessage("4097 rank paths are too many, expected at most 4096");
        var deep = IntStream.rangeClosed(1, 257).mapToObj(depth -> nCopies(depth, 0)).toList();
        assertThat(new TreePlan.RankPaths(deep.subList(0, 256)).maxDepth()).isEqualTo(256);
        assertThatThrownBy(() -> new TreePlan.RankPaths(deep))
                .hasMessage("a rank path has 257 ranks, expected at most 256");
        assertThat(new TreePlan.RankPaths(List.of(List.of(65_535))).maxNodes()).isEqualTo(1);
        assertThatThrownBy(() -> new TreePlan.SampledPaths(List.of(List.of(65_536)), true))
                .hasMessage("rank path [65536] has a rank above 65535");
    }

    @Test
    void drawsAreCountedWithoutGaps() {
        var gap = List.of(List.of(0), List.of(0, 1));

        assertThatThrownBy(() -> new TreePlan.SampledPaths(gap, false))
                .hasMessage(
                        "rank path [0, 1] has no elder sibling [0, 0], and draws are counted without gaps");
        assertThatThrownBy(() -> new TreePlan.SampledPaths(gap, true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(new TreePlan.RankPaths(gap).maxDepth()).isEqualTo(2);
        assertThat(new TreePlan.SampledPaths(List.of(List.of(1), List.of(0)), true).selection(true))
                .isEqualTo(Selection.Kind.INDEPENDENT);
        assertThat(
                        new TreePlan.SampledPaths(List.of(List.of(1), List.of(0)), false)
                                .selection(true))
                .isEqualTo(Selection.Kind.WITHOUT_REPLACEMENT);
    }
}
