package dev.outrider.nn.target;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Adds the targets `vector` and `djl`.
public final class DjlPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetModel.Factory<?>> targets() {
        return List.of(new VectorTargetFactory(), new DjlTargetFactory());
    }
}
