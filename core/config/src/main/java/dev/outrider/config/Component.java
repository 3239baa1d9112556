package dev.outrider.config;

/// A component selected by `use: <name>`, with the configuration record of its factory.
///
/// @param <F>     the factory's type, which determines the known names
/// @param use     the factory's name
/// @param factory creates the component
/// @param config  an instance of the record type that the factory declares
public record Component<F>(String use, F factory, Record config) {}
