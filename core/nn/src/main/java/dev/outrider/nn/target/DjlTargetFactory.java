package dev.outrider.nn.target;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.spi.target.TargetModel;
import java.util.Locale;

/// Opens the target `djl`. Thread-safe.
public final class DjlTargetFactory implements TargetModel.Factory<DjlTargetConfig> {
    @Override
    public String name() {
        return "djl";
    }

    @Override
    public Class<DjlTargetConfig> configType() {
        return DjlTargetConfig.class;
    }

    @Override
    public TargetModel open(DjlTargetConfig config) {
        var directory = new Checkpoint(config.path());
        config.threads().ifPresent(PassThreads::use);
        var loaded =
                LoadedDecoder.load(
                        directory,
                        config.precision(),
                        config.maxPositions(),
                        NativeMemory::availableBytes);
        return TargetModels.of(
                config.name(),
                "djl/" + config.precision().name().toLowerCase(Locale.ROOT),
                loaded,
                config.path());
    }
}
