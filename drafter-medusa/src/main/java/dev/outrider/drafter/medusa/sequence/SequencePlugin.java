package dev.outrider.drafter.medusa.sequence;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters `hydra` and `redrafter`.
public final class SequencePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new HydraFactory(), new RedrafterFactory());
    }
}
