package com.example.retrieval;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.DrafterFactory;
import dev.outrider.spi.rule.AcceptanceRuleFactory;
import java.util.List;

/// What `META-INF/services` names: a plugin may bring several things.
public final class RetrievalPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<DrafterFactory<?>> drafters() {
        return List.of(new RetrievalFactory());
    }

    @Override
    public List<AcceptanceRuleFactory<?>> acceptanceRules() {
        return List.of(new LenientFactory());
    }
}
