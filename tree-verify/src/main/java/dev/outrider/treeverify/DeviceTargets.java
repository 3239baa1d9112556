package dev.outrider.treeverify;

import dev.outrider.nn.target.LoadedDecoder;
import dev.outrider.spi.target.TargetModel;

/// Loads checkpoints onto a device. Implemented where TornadoVM's SDK was there when Outrider was built.
/// Thread-safe.
public interface DeviceTargets {
    /// Loads a target.
    ///
    /// @throws dev.outrider.spi.error.OutriderException if its files are missing or broken, if it does not fit the
    ///                                            device's memory, or a kernel does not compile
    TargetModel open(TornadoTargetConfig config);

    /// Loads a decoder that is no target.
    ///
    /// @return the decoder, whose network the caller closes
    /// @throws dev.outrider.spi.error.OutriderException as [#open]
    LoadedDecoder load(TornadoTargetConfig config);
}
