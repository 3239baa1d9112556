package dev.outrider.config;

/// A component chosen by `use: <name>`, with the configuration record that its factory asks for.
///
/// @param <K>    the kind of component, such as the drafter factory's interface; decides which names are known
/// @param use    the factory's name
/// @param config an instance of the record type that the factory declares
public record Component<K>(String use, Record config) {}
