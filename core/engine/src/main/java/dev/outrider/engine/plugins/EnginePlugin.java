package dev.outrider.engine.plugins;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.length.BuiltInLengths;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRuleFactory;
import dev.outrider.spi.run.DraftLengthPolicyFactory;
import java.util.List;

/// The engine's own acceptance rules and draft-length policies, offered like anybody else's.
public final class EnginePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<AcceptanceRuleFactory<?>> acceptanceRules() {
        return BuiltInRules.factories();
    }

    @Override
    public List<DraftLengthPolicyFactory<?>> draftLengthPolicies() {
        return BuiltInLengths.factories();
    }
}
