package dev.outrider.engine.plugins;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.length.ExpectedGainLength;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.length.HeuristicLength;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.List;
import java.util.function.Supplier;

/// The engine's own acceptance rules and draft-length policies, offered like those of any plugin.
public final class EnginePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return BuiltInRules.factories();
    }

    @Override
    public List<DraftLengthPolicy.Factory<?>> draftLengthPolicies() {
        return List.of(
                new Plans<>("fixed", FixedLength.class),
                new Plans<>("heuristic", HeuristicLength.class),
                new Plans<>("expected-gain", ExpectedGainLength.class));
    }

    /// Starts policies; a plan is its own configuration.
    private record Plans<C extends Record & DraftLengthPlan>(String name, Class<C> configType)
            implements DraftLengthPolicy.Factory<C> {
        @Override
        public DraftLengthPolicy start(C config) {
            return config.start();
        }

        @Override
        public Supplier<DraftLengthPolicy> sequences(C config) {
            return config.shared();
        }
    }
}
