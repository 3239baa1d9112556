package dev.outrider.spi.config;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes one kind of component from configuration. Each kind has its own method for that. Thread-safe.
///
/// @param <C> the record a configuration binds to
@API(status = Status.STABLE, since = "2")
public interface ComponentFactory<C extends Record> {
    /// {@return the name configurations use: lower-case letters, digits and single hyphens}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();
}
