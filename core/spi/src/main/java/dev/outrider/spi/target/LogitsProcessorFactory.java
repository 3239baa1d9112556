package dev.outrider.spi.target;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes logits processors from configuration. Thread-safe; does no I/O.
///
/// @param <C> the record a configuration binds to
@API(status = Status.EXPERIMENTAL, since = "2")
public interface LogitsProcessorFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

    /// Makes a processor.
    ///
    /// @param config what the configuration says
    /// @param target whose logits it will change
    /// @return the processor
    LogitsProcessor create(C config, TargetModel target);
}
