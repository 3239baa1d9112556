package dev.outrider.spi.target;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Opens targets from configuration. Thread-safe.
///
/// @param <C> the record a configuration binds to
@API(status = Status.STABLE, since = "2")
public interface TargetFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

    /// Loads a target.
    ///
    /// @param config what the configuration says
    /// @return the target, which the caller closes
    /// @throws dev.outrider.spi.error.OutriderException if its files are missing or broken, or the back end is not there
    TargetModel open(C config);
}
