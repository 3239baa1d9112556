package dev.outrider.drafter.mtp;

import dev.outrider.spi.Drafter;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TreePlan;
import dev.outrider.testkit.DrafterConformance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

/// The published suite for drafters on a small real target: one module chained, several modules, both, and trees.
class MtpConformanceTest {
    @Nested
    class OneModuleChained extends Suite {
        OneModuleChained() {
            super(1, new TreePlan.Chain(4), Recycle.POST);
        }
    }

    @Nested
    class OneModuleReadingTheTargetsStateAgain extends Suite {
        OneModuleReadingTheTargetsStateAgain() {
            super(1, new TreePlan.Chain(3), Recycle.TARGET);
        }
    }

    @Nested
    class ThreeModules extends Suite {
        ThreeModules() {
            super(3, new TreePlan.Chain(3), Recycle.PRE);
        }
    }

    @Nested
    class TwoModulesTheLastOneChained extends Suite {
        TwoModulesTheLastOneChained() {
            super(2, new TreePlan.Chain(4), Recycle.POST);
        }
    }

    @Nested
    class ThreeModulesInADynamicTree extends Suite {
        ThreeModulesInADynamicTree() {
            super(3, new TreePlan.Dynamic(3, 4, 12), Recycle.POST);
        }
    }

    @Nested
    class OneModuleWithDistinctSiblings extends Suite {
        OneModuleWithDistinctSiblings() {
            super(1, new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1)), Recycle.POST);
        }
    }

    abstract static class Suite extends DrafterConformance {
        private final TargetModel target = Tiny.target();
        private final Drafter drafter;

        Suite(int modules, TreePlan plan, Recycle recycle) {
            try {
                var path =
                        ModuleFiles.deepSeek(modules).write(Files.createTempDirectory("modules"));
                drafter =
                        new MtpDrafterFactory()
                                .create(
                                        Tiny.drafter(path, plan, Optional.of(recycle)),
                                        Tiny.context(target));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
