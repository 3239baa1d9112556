package dev.outrider.nn.target;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Adds the target `vector`.
public final class NetworkPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetModel.Factory<?>> targets() {
        return List.of(new VectorTargetFactory());
    }
}
