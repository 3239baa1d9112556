package dev.outrider.treeverify.bench;

import dev.outrider.common.Ticker;

/// Times passes on a device. Implemented where TornadoVM's SDK was there when Outrider was built. Thread-safe.
public interface DeviceBench {
    /// Runs a measurement.
    ///
    /// @param progress told what is being done
    /// @param ticker   the clock
    /// @throws dev.outrider.spi.error.OutriderException `OUT_OF_MEMORY` if the shape does not fit the device, and what else
    ///                                            a device answers
    DeviceBenchReport run(DeviceBenchRequest request, Progress progress, Ticker ticker);

    /// Told what is being done.
    @FunctionalInterface
    interface Progress {
        /// @param what such as `context 1024, 16 rows`
        void at(String what);
    }
}
