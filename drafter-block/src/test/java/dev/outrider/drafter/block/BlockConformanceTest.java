package dev.outrider.drafter.block;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import dev.outrider.testkit.EarlyStops;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Runs the published conformance suite for drafters with random heads and a random target, on the real networks in 32 bits.
class BlockConformanceTest {
    @Nested
    class ChainOfIndependentSlots extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            return Opened.dflash(target, Files.nested().write(directory), new TreePlan.Chain(4));
        }
    }

    @Nested
    class BestNodesOfIndependentSlots extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            return Opened.dflash(
                    target, Files.speculators().write(directory), new TreePlan.Dynamic(4, 4, 12));
        }
    }

    @Nested
    class BeamOfAMarkovHeadWithAState extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            return Opened.dspark(
                    target,
                    Files.speculatorsSpark(HeadForm.Type.RNN).write(directory),
                    new TreePlan.Dynamic(3, 4, 12));
        }
    }

    @Nested
    class ChainThatEndsWhereTheConfidenceHeadSays extends Suite {
        @Override
        Drafter open(TargetModel target, Path directory) {
            return Opened.dspark(
                    target,
                    Files.nestedSpark(HeadForm.Type.VANILLA).write(directory),
                    Drafting.of(new TreePlan.Chain(5)),
                    0.5,
                    BlockOverrides.NONE);
        }

        @Test
        void stopsInSomeRoundsAndNotInAll() {
            EarlyStops.assertSometimes(target(), drafter());
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    private abstract static class Suite extends DrafterConformance {
        private final TargetModel target = TinyTarget.DEEP.open();
        private Optional<Drafter> drafter = Optional.empty();

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
