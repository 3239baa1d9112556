package dev.outrider.config;

/// A component chosen by `use: <name>`, with the configuration record that its factory asks for.
///
/// @param <F>     the factory's type, which decides which names are known
/// @param use     the factory's name
/// @param factory what makes it
/// @param config  an instance of the record type that the factory declares
public record Component<F>(String use, F factory, Record config) {}
