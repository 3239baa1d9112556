package dev.outrider.drafter.self;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/// Runs the published conformance suite for drafters on a random target, on the real network.
class EarlyExitConformanceTest {
    @Nested
    class Chain extends Suite {
        Chain() {
            super(new TreePlan.Chain(4));
        }
    }

    @Nested
    class DynamicTree extends Suite {
        DynamicTree() {
            super(new TreePlan.Dynamic(4, 4, 12));
        }
    }

    @Nested
    class IndependentSiblings extends Suite {
        IndependentSiblings() {
            super(new TreePlan.SampledWithReplacement(List.of(3, 2, 1)));
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    private abstract static class Suite extends DrafterConformance {
        private final TargetModel target = TinyTarget.DEEP.open();
        private final Drafter drafter;

        Suite(TreePlan plan) {
            drafter =
                    SelfPlugin.EARLY_EXIT.create(
                            new EarlyExitConfig(2, Drafting.of(plan)), () -> target);
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
