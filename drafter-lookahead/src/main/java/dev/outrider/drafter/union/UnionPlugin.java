package dev.outrider.drafter.union;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafter `union`.
public final class UnionPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new UnionFactory());
    }
}
