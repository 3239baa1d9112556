package dev.outrider.drafter.self;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.DrafterConformance;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/// Runs the published conformance suite for drafters that skip sub-layers, on a random target, on the real network.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SkipLayersConformanceTest extends DrafterConformance {
    private final TargetModel target = TinyTarget.DEEP.open();
    private final Drafter drafter =
            SelfPlugin.SKIP_LAYERS.create(
                    new SkipLayersConfig(
                            Optional.empty(), 0.45, Drafting.of(new TreePlan.Chain(3))),
                    () -> target);

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
