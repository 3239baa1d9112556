package dev.outrider.nn.target;

import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Opens the target `vector`. Thread-safe.
public final class VectorTargetFactory implements TargetModel.Factory<VectorTargetConfig> {
    @Override
    public String name() {
        return "vector";
    }

    @Override
    public Class<VectorTargetConfig> configType() {
        return VectorTargetConfig.class;
    }

    @Override
    public TargetModel open(VectorTargetConfig config) {
        config.threads().ifPresent(PassThreads::use);
        var directory = ModelPaths.open(config.path());
        var loaded =
                LoadedDecoder.loadVector(
                                directory,
                                config.precision(),
                                config.rowPrecision(),
                                config.maxPositions(),
                                NativeMemory::availableBytes)
                        .withCaches(config.cachePrecision());
        var kept = loaded.network().capability(VectorNetwork.class).orElseThrow().formats();
        return TargetModels.of(config.name(), "vector/" + kept, loaded, directory.path());
    }

    /// Adds the target `vector`.
    public static final class NetworkPlugin implements OutriderPlugin {
        @Override
        public int spiVersion() {
            return SPI_VERSION;
        }

        @Override
        public List<TargetModel.Factory<?>> targets() {
            return List.of(new VectorTargetFactory());
        }
    }
}
