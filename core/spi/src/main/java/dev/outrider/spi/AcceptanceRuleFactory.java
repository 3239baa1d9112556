package dev.outrider.spi;

/// Makes acceptance rules from configuration. Thread-safe; does no I/O.
///
/// @param <C> the record a configuration binds to
public interface AcceptanceRuleFactory<C extends Record> {
    /// The name configurations use.
    String name();

    /// The record a configuration binds to.
    Class<C> configType();

    /// Makes a rule.
    AcceptanceRule create(C config);
}
