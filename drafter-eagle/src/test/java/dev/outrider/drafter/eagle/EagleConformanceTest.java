package dev.outrider.drafter.eagle;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.EarlyStops;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Runs the published conformance suite for drafters with random heads and a random target, on the real networks in 32 bits.
class EagleConformanceTest {
    /// A threshold at which random heads over ten tokens, whose distributions are flat, stop now and then.
    private static final double STOP = 0.335;

    @Nested
    class FirstGenerationChain extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var config = Configs.eagle(Heads.eagle1().write(directory), new TreePlan.Chain(4));
            return EaglePlugin.EAGLE.create(config, () -> target);
        }
    }

    @Nested
    @Tag("nightly")
    class SecondGenerationDynamicTree extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.Dynamic(3, 4, 12);
            return EaglePlugin.EAGLE.create(
                    Configs.eagle(Heads.eagle1().write(directory), plan), () -> target);
        }
    }

    @Nested
    @Tag("nightly")
    class ThirdGenerationStaticTree extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.LevelWidths(List.of(3, 2, 1));
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.eagle3().write(directory), plan), () -> target);
        }
    }

    @Nested
    class ThirdGenerationDynamicTreeThatPassesOnNormedStates extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.Dynamic(3, 4, 12);
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.speculators().write(directory), plan), () -> target);
        }
    }

    @Nested
    class ChainInOnePass extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.Chain(4);
            return EaglePlugin.P_EAGLE.create(
                    Configs.peagle(Heads.peagle().write(directory), plan), () -> target);
        }
    }

    @Nested
    @Tag("nightly")
    class DistinctSiblingsInOnePass extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1));
            return EaglePlugin.P_EAGLE.create(
                    Configs.peagle(Heads.peagle().write(directory), plan), () -> target);
        }
    }

    @Nested
    class SampledSiblingsOfADraftVocabulary extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1));
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.specForge().write(directory), plan), () -> target);
        }
    }

    @Nested
    @Tag("nightly")
    class ChainThatStopsBelowUnlikelyTokens extends StoppingSuite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var drafting = Drafting.of(new TreePlan.Chain(4)).stoppingBelow(0.02);
            return EaglePlugin.EAGLE.create(
                    Configs.eagle(Heads.eagle1().write(directory), drafting), () -> target);
        }
    }

    @Nested
    class DistinctSiblingsThatStopBelowUnlikelyTokens extends StoppingSuite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var drafting =
                    Drafting.of(new TreePlan.SampledWithoutReplacement(List.of(3, 2, 1)))
                            .stoppingBelow(0.02);
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.specForge().write(directory), drafting), () -> target);
        }
    }

    @Nested
    @Tag("nightly")
    class ChainThatStopsAtUncertainDistributions extends StoppingSuite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            var drafting =
                    Drafting.of(new TreePlan.Chain(4))
                            .stoppingAt(new Drafting.EntropyStop(0.2, STOP));
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.eagle3().write(directory), drafting), () -> target);
        }
    }

    @Nested
    class OnAnEncoderDecoder extends Suite {
        OnAnEncoderDecoder() {
            super(TinyTarget.DEEP.encoderDecoder());
        }

        @Override
        Drafter open(TargetModel target, Path directory) {
            var plan = new TreePlan.LevelWidths(List.of(3, 2, 1));
            return EaglePlugin.EAGLE_3.create(
                    Configs.eagle3(Heads.eagle3().write(directory), plan), () -> target);
        }
    }

    abstract static class StoppingSuite extends Suite {
        @Test
        void stopsInSomeRoundsAndNotInAll() {
            EarlyStops.assertSometimes(target(), drafter());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    private abstract static class Suite extends DrafterConformance {
        private final TargetModel target;
        private Optional<Drafter> drafter = Optional.empty();

        Suite() {
            this(TinyTarget.DEEP.open());
        }

        Suite(TargetModel target) {
            this.target = target;
        }

        abstract Drafter open(TargetModel target, Path directory);

        @BeforeAll
        void load(@TempDir Path directory) {
            drafter = Optional.of(open(target, directory));
        }

        @AfterAll
        void close() {
            drafter.ifPresent(Drafter::close);
            target.close();
        }

        @Override
        protected TargetModel target() {
            return target;
        }

        @Override
        protected Drafter drafter() {
            return drafter.orElseThrow();
        }
    }
}
