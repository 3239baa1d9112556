package dev.outrider.nn.target;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetFactory;
import java.util.List;

/// Adds the target `djl`.
public final class DjlPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetFactory<?>> targets() {
        return List.of(new DjlTargetFactory());
    }
}
