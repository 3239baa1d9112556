package dev.outrider.drafting;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// A plugin that adds drafters.
public abstract class DrafterPlugin implements OutriderPlugin {
    private final List<Drafter.Factory<?>> drafters;

    /// Adds drafters.
    protected DrafterPlugin(Drafter.Factory<?>... drafters) {
        this.drafters = List.of(drafters);
    }

    @Override
    public final int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public final List<Drafter.Factory<?>> drafters() {
        return drafters;
    }
}
