package dev.outrider.drafter.smallmodel;

import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// Opens draft checkpoints with their back ends.
final class DraftCheckpoints {
    private DraftCheckpoints() {}

    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    static DraftModel load(SmallModelConfig config, TargetModel target) {
        var directory = ModelPaths.open(config.path());
        var loaded =
                switch (config.engine().backend()) {
                    case VECTOR ->
                            LoadedDecoder.loadVector(
                                    directory,
                                    config.precision(),
                                    target.capability(VectorNetwork.class)
                                            .map(VectorNetwork::rowPrecision)
                                            .orElse(RowPrecision.INT8),
                                    Optional.empty(),
                                    NativeMemory::availableBytes);
                    case TORNADO ->
                            DecoderBackend.named("tornado").load(directory, config.precision());
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
}
