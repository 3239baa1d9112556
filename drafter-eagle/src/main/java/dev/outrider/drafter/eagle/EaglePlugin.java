package dev.outrider.drafter.eagle;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.draft.Drafter;
import java.util.List;

/// Adds the drafters `eagle`, `eagle3` and `p-eagle`.
public final class EaglePlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<Drafter.Factory<?>> drafters() {
        return List.of(new EagleFactory(), new Eagle3Factory(), new PEagleFactory());
    }
}
