package dev.outrider.nn.target;

import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.runtime.TensorRuntime;
import dev.outrider.spi.TargetDescription;
import dev.outrider.spi.TargetFactory;
import dev.outrider.spi.TargetModel;
import java.util.Locale;

/// Opens the target `djl`. Thread-safe.
public final class DjlTargetFactory implements TargetFactory<DjlTargetConfig> {
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
        var directory = new CheckpointDirectory(config.path());
        config.threads().ifPresent(TensorRuntime::useThreads);
        var loaded =
                LoadedDecoder.load(
                        directory,
                        config.precision(),
                        config.implementation(),
                        config.maxPositions(),
                        NativeMemory::availableBytes);
        var shape = loaded.config();
        return new DjlTargetModel(
                new TargetDescription(
                        config.name().orElseGet(loaded::name),
                        "djl/" + config.precision().name().toLowerCase(Locale.ROOT),
                        shape.vocabularySize(),
                        shape.hiddenSize(),
                        shape.layers(),
                        shape.maxPositions(),
                        loaded.parameters(),
                        loaded.endOfSequence(),
                        loaded.digest()),
                loaded.tokenizer(),
                loaded.network(),
                loaded.cacheBytesPerRow(),
                NativeMemory::availableBytes);
    }
}
