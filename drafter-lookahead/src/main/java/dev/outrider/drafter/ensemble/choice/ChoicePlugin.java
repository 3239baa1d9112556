package dev.outrider.drafter.ensemble.choice;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafter `choice`.
public final class ChoicePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new ChoiceFactory());
    }
}
