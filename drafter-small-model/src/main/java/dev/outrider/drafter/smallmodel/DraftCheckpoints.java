package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.checkpoint.CheckpointDirectory;
import dev.outrider.nn.runtime.NativeMemory;
import dev.outrider.nn.target.DjlTargetConfig;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.spi.OutriderException;
import java.util.Optional;

/// Opens draft checkpoints with the tensor engine.
final class DraftCheckpoints {
    private DraftCheckpoints() {}

    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    static DraftModel load(SmallModelConfig config) {
        var loaded =
                LoadedDecoder.load(
                        new CheckpointDirectory(config.path()),
                        config.precision(),
                        DjlTargetConfig.Implementation.SCRIPTED,
                        Optional.empty(),
                        NativeMemory::availableBytes);
        return new DraftModel(
                loaded.network(),
                loaded.tokenizer(),
                loaded.config().vocabularySize(),
                loaded.config().maxPositions(),
                loaded.parameters(),
                loaded.digest());
    }
}
