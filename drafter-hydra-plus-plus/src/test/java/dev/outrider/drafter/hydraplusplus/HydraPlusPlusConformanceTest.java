package dev.outrider.drafter.hydraplusplus;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Tests random heads in the authors' layout on a trained target.
class HydraPlusPlusConformanceTest {
    private static final String GROUNDED = ", \"grounded_heads\": true";

    @Nested
    class Chain extends Suite {
        Chain(@TempDir Path folder) {
            super(new Heads(2, true).write(folder, GROUNDED), new TreePlan.Chain(3));
        }
    }

    @Nested
    class DistinctTree extends Suite {
        DistinctTree(@TempDir Path folder) {
            super(
                    new Heads(1, false).write(folder, GROUNDED),
                    new TreePlan.SampledWithoutReplacement(List.of(2, 2, 1)));
        }
    }

    @Nested
    class DynamicTree extends Suite {
        DynamicTree(@TempDir Path folder) {
            super(new Heads(1, true).write(folder, GROUNDED), new TreePlan.Dynamic(3, 4, 10));
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Suite extends DrafterConformance {
        private final TargetModel target = Heads.target();
        private final Drafter drafter;

        Suite(Path folder, TreePlan plan) {
            drafter = Heads.drafter(folder, plan, target);
        }

        @AfterAll
        void close() {
            drafter.close();
            target.close();
        }

        @Override
        protected TargetModel target() {
            return target;
        }

        @Override
        protected Drafter drafter() {
            return drafter;
        }
    }
}
