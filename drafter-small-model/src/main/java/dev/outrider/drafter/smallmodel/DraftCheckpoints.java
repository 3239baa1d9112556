package dev.outrider.drafter.smallmodel;

import dev.outrider.drafter.smallmodel.SmallModelConfig.StatesOf;
import dev.outrider.nn.architecture.ModelConfig;
import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.SourceEncoder;
import dev.outrider.nn.shape.ModelPaths;
import dev.outrider.nn.target.DecoderBackend;
import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.TargetModel;
import java.util.Optional;

/// Opens draft checkpoints for what runs them.
final class DraftCheckpoints {
    private DraftCheckpoints() {}

    /// @throws OutriderException if files are missing, broken or unsupported, or memory does not suffice
    static DraftModel load(SmallModelConfig config, TargetModel target) {
        var directory = ModelPaths.open(config.path());
        var backend = config.backend();
        if (config.encoder() == StatesOf.TARGET && backend != SmallModelConfig.Backend.VECTOR) {
            throw unshared(target, "the draft model runs on another back end than 'vector'");
        }
        var loaded =
                switch (backend) {
                    case VECTOR ->
                            LoadedDecoder.loadVector(
                                    directory,
                                    config.precision(),
                                    target.capability(VectorNetwork.class)
                                            .map(VectorNetwork::rowPrecision)
                                            .orElse(RowPrecision.INT8),
                                    Optional.empty(),
                                    NativeMemory::availableBytes,
                                    states(config, directory, target));
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

    /// The encoder whose states the draft model shares, if it shares any.
    ///
    /// @throws OutriderException `CAPABILITY_MISSING` if it cannot
    private static Optional<SourceEncoder> states(
            SmallModelConfig config, Checkpoint directory, TargetModel target) {
        if (config.encoder() == StatesOf.OWN) {
            return Optional.empty();
        }
        var states =
                target.capability(SourceEncoder.class)
                        .orElseThrow(() ->
                                unshared(target, "the target has no encoder that shares them"));
        var model = ModelConfig.read(directory);
        if (model.encoder().isEmpty()) {
            throw unshared(target, "the draft model is a decoder alone");
        }
        if (model.decoder().hiddenSize() != states.hiddenSize()) {
            throw unshared(
                    target,
                    "they have %d numbers and the draft model's %d"
                            .formatted(states.hiddenSize(), model.decoder().hiddenSize()));
        }
        return Optional.of(states);
    }

    private static OutriderException unshared(TargetModel target, String why) {
        return new OutriderException(
                ErrorCode.CAPABILITY_MISSING,
                "drafter 'small-model' cannot share the encoder's states of target '%s': %s"
                        .formatted(target.description().name(), why),
                "Set 'encoder: own', or use a draft that was trained on this target's states.");
    }
}
