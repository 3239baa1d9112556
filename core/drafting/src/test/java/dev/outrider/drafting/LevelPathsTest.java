package dev.outrider.drafting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.draft.TreePlan;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// For random widths, a plan of levels and the plan of its paths are the same tree.
class LevelPathsTest {
    private static final int TRIALS = 300;

    @Test
    void pathsOfLevelsAreAPlanWithAsManyNodesAndTheSameTemplate() {
        var random = new SplittableRandom(7);
        for (int trial = 0; trial < TRIALS; trial++) {
            var widths = random.ints(1 + random.nextInt(4), 1, 5).boxed().toList();
            var levels = new TreePlan.LevelWidths(widths);
            var paths = new TreePlan.RankPaths(LevelPaths.of(widths));

            assertThat(paths.maxNodes()).isEqualTo(levels.maxNodes());
            assertThat(paths.maxDepth()).isEqualTo(levels.maxDepth());
            assertThat(TreeTemplate.ofPaths(paths.paths()))
                    .isEqualTo(TreeTemplate.ofWidths(widths));
        }
    }

    @Test
    void levelByLevelAndByRisingRank() {
        assertThat(LevelPaths.of(List.of(2, 1)))
                .containsExactly(List.of(0), List.of(1), List.of(0, 0), List.of(1, 0));
    }
}
