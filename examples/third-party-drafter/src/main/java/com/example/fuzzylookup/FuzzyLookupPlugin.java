package com.example.fuzzylookup;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.OutriderPlugin;
import java.util.List;

/// What `META-INF/services` names: lists what the plugin brings and does no work.
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
