package dev.outrider.spi.rule;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// Makes acceptance rules from configuration. Thread-safe; does no I/O.
///
/// @param <C> the record a configuration binds to
@API(status = Status.STABLE, since = "2")
public interface AcceptanceRuleFactory<C extends Record> {
    /// {@return the name configurations use}
    String name();

    /// {@return the record a configuration binds to}
    Class<C> configType();

    /// Makes a rule.
    ///
    /// @param config what the configuration says
    /// @return the rule
    AcceptanceRule create(C config);
}
