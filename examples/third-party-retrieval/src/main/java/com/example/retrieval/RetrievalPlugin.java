package com.example.retrieval;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The class that `META-INF/services` names: a plugin may have several components.
public final class RetrievalPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new RetrievalFactory());
    }

    @Override
    public List<AcceptanceRule.Factory<?>> acceptanceRules() {
        return List.of(new LenientFactory());
    }
}
