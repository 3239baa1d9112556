package dev.outrider.treeverify;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.treeverify.sdk.SdkRequirement;
import java.util.List;

/// Adds the target `tornado`.
public final class TreeVerifyPlugin implements OutriderPlugin {
    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public List<TargetModel.Factory<?>> targets() {
        return List.of(new TornadoTargetFactory());
    }

    /// Opens the target `tornado`. Thread-safe.
    public static final class TornadoTargetFactory
            implements TargetModel.Factory<TornadoTargetConfig> {
        @Override
        public String name() {
            return "tornado";
        }

        @Override
        public Class<TornadoTargetConfig> configType() {
            return TornadoTargetConfig.class;
        }

        @Override
        public TargetModel open(TornadoTargetConfig config) {
            return SdkRequirement.ofThisProcess().service(DeviceTargets.class).open(config);
        }
    }
}
