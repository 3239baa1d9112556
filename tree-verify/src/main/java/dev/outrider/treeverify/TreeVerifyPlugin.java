package dev.outrider.treeverify;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetFactory;
import java.util.List;

/// Adds the target `tornado`.
public final class TreeVerifyPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetFactory<?>> targets() {
        return List.of(new TornadoTargetFactory());
    }
}
