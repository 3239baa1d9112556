package com.example.fuzzylookup;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// The class that `META-INF/services` names: it lists the plugin's components and does no work.
public final class FuzzyLookupPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new FuzzyLookupFactory());
    }
}
