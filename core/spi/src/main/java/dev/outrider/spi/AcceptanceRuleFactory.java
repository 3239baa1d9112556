package dev.outrider.spi;

/// Makes acceptance rules from configuration. Thread-safe; does no I/O.
///
/// @param <C> the record a configuration binds to
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
