package com.example.handicap;

import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.OutriderPlugin;
import java.util.List;

/// What `META-INF/services` names: lists what the plugin brings and does no work.
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
