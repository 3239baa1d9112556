package dev.outrider.spi.run;

import java.nio.file.Path;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes listeners from configuration. Thread-safe.
///
/// @param <C> the record a configuration binds to
@API(status = Status.EXPERIMENTAL, since = "2")
public interface RunListenerFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

    /// Starts following a run.
    ///
    /// @param config what the configuration says
    /// @param folder where the run's results go; files of the listener belong there
    /// @return the listener, which the caller closes
    /// @throws dev.outrider.spi.error.OutriderException if it cannot write
    RunListener open(C config, Path folder);
}
