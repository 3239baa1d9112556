package dev.outrider.spi;

/// Opens targets from configuration. Thread-safe.
///
/// @param <C> the record a configuration binds to
public interface TargetFactory<C extends Record> {
    /// The name configurations use.
    String name();

    /// The record a configuration binds to.
    Class<C> configType();

    /// Loads a target.
    ///
    /// @throws OutriderException if its files are missing or broken, or the back end is not there
    TargetModel open(C config);
}
