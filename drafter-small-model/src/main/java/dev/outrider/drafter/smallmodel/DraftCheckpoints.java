package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.runtime.ElementType;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// Opens draft checkpoints for what runs them.
final class DraftCheckpoints {
    private DraftCheckpoints() {}

    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    static DraftModel load(SmallModelConfig config, TargetModel target) {
        var directory = new CheckpointDirectory(config.path());
        var loaded =
                switch (config.backend().orElseGet(() -> backend(target))) {
                    case VECTOR ->
                            LoadedDecoder.loadVector(
                                    directory,
                                    config.precision(),
                                    Optional.empty(),
                                    NativeMemory::availableBytes);
                    case DJL ->
                            LoadedDecoder.load(
                                    directory,
                                    config.precision()
                                            .map(each -> each.ofTensors("drafter 'small-model'"))
                                            .orElse(ElementType.F32),
                                    Optional.empty(),
                                    NativeMemory::availableBytes);
                    case TORNADO -> DecoderBackend.named("tornado").load(directory);
                };
        return new DraftModel(
                loaded.network(),
                loaded.tokenizer(),
                loaded.config().vocabularySize(),
                loaded.config().maxPositions(),
                loaded.parameters(),
                loaded.digest(),
                loaded.sources());
    }

    private static SmallModelConfig.Backend backend(TargetModel target) {
        return target.capability(VectorNetwork.class).isPresent()
                ? SmallModelConfig.Backend.VECTOR
                : SmallModelConfig.Backend.DJL;
    }
}
