package dev.outrider.drafter.cascade;

import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import java.util.List;

/// Adds the drafter `cascade`.
public final class CascadePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<DrafterFactory<?>> drafters() {
        return List.of(new CascadeFactory());
    }
}
