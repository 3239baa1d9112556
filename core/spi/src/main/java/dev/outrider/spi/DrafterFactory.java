package dev.outrider.spi;

/// Makes drafters from configuration. Thread-safe.
///
/// @param <C> the record a configuration binds to
public interface DrafterFactory<C extends Record> {
    /// The name configurations use.
    String name();

    /// The record a configuration binds to.
    Class<C> configType();

    /// What a drafter with this configuration would produce. Does no I/O.
    DrafterTraits traits(C config);

    /// Loads a drafter.
    ///
    /// @throws OutriderException if its files are missing, broken, or made for another target
    Drafter create(C config, DrafterContext context);
}
