package dev.outrider.nn.target;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.HeadPart;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Optional;
import java.util.ServiceLoader;

/// Loads decoders and draft layers that run in another engine than the process's tensor engine, for drafters. Providers
/// are services on the class path. Thread-safe.
public interface DecoderBackend {
    /// Returns the name that configurations use, such as `tornado`.
    String name();

    /// Loads a checkpoint.
    ///
    /// @param precision number format of its matrices; if it is absent, that of a GGUF file, and 32-bit floats for other checkpoints
    /// @return the decoder, whose network the caller closes
    /// @throws OutriderException if files are missing, broken or unsupported, or there is no device that can run it
    LoadedDecoder load(Checkpoint directory, Optional<Precision> precision);

    /// Loads a draft layer.
    ///
    /// @param drafter   its name, for messages
    /// @param config    with [DecoderConfig#fusion], and both an embedding and a head of its own
    /// @param precision number format of its matrices; 32-bit floats if it is absent
    /// @param block     rows of a block, all in one pass; 1 if it is no block drafter's backbone
    /// @return the caller closes it
    /// @throws OutriderException as the other method, and with the name of what the back end does not compute
    BlockNetwork load(
            String drafter,
            DecoderConfig config,
            WeightSource weights,
            Optional<Precision> precision,
            int block);

    /// Loads a part of a head without decoder layers.
    ///
    /// @param precision as in the other method
    /// @return the caller closes it
    /// @throws OutriderException as the other methods
    HeadPart load(String drafter, HeadPart.Weights weights, Optional<Precision> precision);

    /// Returns the back end of a name.
    ///
    /// @throws OutriderException `BACKEND_UNAVAILABLE` if there is none
    static DecoderBackend named(String name) {
        return ServiceLoader.load(DecoderBackend.class, DecoderBackend.class.getClassLoader())
                .stream()
                .map(ServiceLoader.Provider::get)
                .filter(backend -> backend.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        ErrorCode.BACKEND_UNAVAILABLE.error(
                                "no part of this Outrider has the back end '%s'".formatted(name),
                                "Leave 'backend' out, or put Outrider's module with that back end on the class path."));
    }
}
