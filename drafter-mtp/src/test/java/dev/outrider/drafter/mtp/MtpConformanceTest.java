package dev.outrider.drafter.mtp;

import dev.outrider.drafter.mtp.MtpConfig.Recycle;
import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.EarlyStops;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Runs the published conformance suite for drafters on a small real target: one module chained, several modules, both, and trees.
class MtpConformanceTest {
    /// A threshold at which random modules over forty tokens, whose distributions are flat, stop now and then.
    private static final double STOP = 0.2;

    @Nested
    @Tag("nightly")
    class OneModuleChained extends Suite {
        OneModuleChained(@TempDir Path folder) {
            super(folder, 1, new TreePlan.Chain(4), Recycle.POST);
        }
    }

    @Nested
    class OneModuleReadingTheTargetsStateAgain extends Suite {
        OneModuleReadingTheTargetsStateAgain(@TempDir Path folder) {
            super(folder, 1, new TreePlan.Chain(3), Recycle.TARGET);
        }
    }

    @Nested
    class ThreeModules extends Suite {
        ThreeModules(@TempDir Path folder) {
            super(folder, 3, new TreePlan.Chain(3), Recycle.PRE);
        }
    }

    @Nested
    class TwoModulesTheLastOneChained extends Suite {
        TwoModulesTheLastOneChained(@TempDir Path folder) {
            super(folder, 2, new TreePlan.Chain(4), Recycle.POST);
        }
    }

    @Nested
    @Tag("nightly")
    class ThreeModulesInADynamicTree extends Suite {
        ThreeModulesInADynamicTree(@TempDir Path folder) {
            super(folder, 3, new TreePlan.Dynamic(3, 4, 12), Recycle.POST);
        }
    }

    @Nested
    @Tag("nightly")
    class OneModuleWithDistinctSiblings extends Suite {
        OneModuleWithDistinctSiblings(@TempDir Path folder) {
            super(
                    folder,
                    1,
                    new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1)),
                    Recycle.POST);
        }
    }

    @Nested
    @Tag("nightly")
    class OneModuleThatStopsBelowUnlikelyTokens extends StoppingSuite {
        OneModuleThatStopsBelowUnlikelyTokens(@TempDir Path folder) {
            super(folder, 1, Drafting.of(new TreePlan.Chain(4)).stoppingBelow(0.02), Recycle.POST);
        }
    }

    @Nested
    class DistinctSiblingsThatStopBelowUnlikelyTokens extends StoppingSuite {
        DistinctSiblingsThatStopBelowUnlikelyTokens(@TempDir Path folder) {
            super(
                    folder,
                    2,
                    Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1)))
                            .stoppingBelow(0.02),
                    Recycle.POST);
        }
    }

    @Nested
    @Tag("nightly")
    class ModulesThatStopAtUncertainDistributions extends StoppingSuite {
        ModulesThatStopAtUncertainDistributions(@TempDir Path folder) {
            super(
                    folder,
                    2,
                    Drafting.of(new TreePlan.Chain(4))
                            .stoppingAt(new Drafting.EntropyStop(0.2, STOP)),
                    Recycle.POST);
        }
    }

    abstract static class StoppingSuite extends Suite {
        StoppingSuite(Path folder, int modules, Drafting drafting, Recycle recycle) {
            super(folder, modules, drafting, recycle);
        }

        @Test
        void stopsInSomeRoundsAndNotInAll() {
            EarlyStops.assertSometimes(target(), drafter());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    abstract static class Suite extends DrafterConformance {
        private final TargetModel target = TinyTarget.SHALLOW.open();
        private final Drafter drafter;

        Suite(Path folder, int modules, TreePlan plan, Recycle recycle) {
            this(folder, modules, Drafting.of(plan), recycle);
        }

        Suite(Path folder, int modules, Drafting drafting, Recycle recycle) {
            drafter =
                    MtpPlugin.MTP.create(
                            Configs.drafter(
                                    written(folder, modules), drafting, Optional.of(recycle)),
                            () -> target);
        }

        private static Path written(Path folder, int modules) {
            try {
                return ModuleFiles.deepSeek(modules).write(folder);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
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
