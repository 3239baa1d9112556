package dev.outrider.drafter.self;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.drafting.Drafting;
import dev.outrider.drafting.TinyTarget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.ForwardingTarget;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelfPluginTest {
    /// A target whose sessions run all layers or none.
    private record WholePasses(TargetModel target) implements ForwardingTarget {
        @Override
        public Set<Class<?>> sessionCapabilities() {
            return Set.of();
        }
    }

    private static final Drafting CHAIN = Drafting.of(new TreePlan.Chain(3));

    @Test
    void refusesATargetThatRunsAllLayersOrNone() {
        try (var target = new WholePasses(TinyTarget.DEEP.open())) {
            assertThatThrownBy(() ->
                            SelfPlugin.EARLY_EXIT.create(
                                    new EarlyExitConfig(2, CHAIN), () -> target))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "CAPABILITY_MISSING: drafter 'early-exit' guesses with some of the target's own layers, but target 'tiny'"
                                    + " (vector/f32) runs all of them or none\n"
                                    + "  Set 'target: {use: vector}', which can for every decoder alone; or choose another drafter.");
        }
    }

    @Test
    void refusesAnExitThatIsNotEarly() {
        try (var target = TinyTarget.DEEP.open()) {
            assertThatThrownBy(() ->
                            SelfPlugin.EARLY_EXIT.create(
                                    new EarlyExitConfig(6, CHAIN), () -> target))
                    .isInstanceOf(OutriderException.class)
                    .hasMessage(
                            "CONFIG_INVALID: drafter 'early-exit' exits after layer 6, but target 'tiny' has 6 layers, expected 1 to 5\n"
                                    + "  Set a smaller 'layer'.");
        }
        assertThatThrownBy(() -> new EarlyExitConfig(0, CHAIN))
                .hasMessage("layer 0 must be at least 1");
    }
}
