package dev.outrider.spi.run;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes draft-length policies from configuration. Thread-safe; does no I/O.
///
/// @param <C> the record a configuration binds to
@API(status = Status.EXPERIMENTAL, since = "2")
public interface DraftLengthPolicyFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

    /// Starts choosing for one sequence.
    ///
    /// @param config what the configuration says
    /// @return a policy that has seen nothing yet
    DraftLengthPolicy start(C config);
}
