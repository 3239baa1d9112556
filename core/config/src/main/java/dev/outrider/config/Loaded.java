package dev.outrider.config;

/// A valid configuration.
///
/// @param config    the record
/// @param effective every value with its origin, for printing and hashing
public record Loaded<C extends Record>(C config, EffectiveConfig effective) {}
