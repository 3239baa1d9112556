package dev.outrider.engine.plugins;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The engine's own acceptance rules, offered like anybody else's.
public final class EnginePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return BuiltInRules.factories();
    }
}
