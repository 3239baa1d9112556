package dev.outrider.nn.target;

import dev.outrider.nn.checkpoint.Checkpoint;
import dev.outrider.nn.network.Precision;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Optional;
import java.util.ServiceLoader;

/// Loads decoders that run in another engine than the process's tensor engine, for drafters that have their own model. Providers
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
                        new OutriderException(
                                ErrorCode.BACKEND_UNAVAILABLE,
                                "no part of this Outrider has the back end '%s'".formatted(name),
                                "Leave 'backend' out, or put Outrider's module with that back end on the class path."));
    }
}
