package dev.outrider.treeverify;

import dev.outrider.spi.target.TargetModel;
import dev.outrider.treeverify.sdk.SdkRequirement;

/// Opens the target `tornado`. Thread-safe.
public final class TornadoTargetFactory implements TargetModel.Factory<TornadoTargetConfig> {
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
