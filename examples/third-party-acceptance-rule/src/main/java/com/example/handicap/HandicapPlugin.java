package com.example.handicap;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The class that `META-INF/services` names: it lists the plugin's components and does no work.
public final class HandicapPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return List.of(new HandicapFactory());
    }
}
