package dev.outrider.common;

import java.util.List;

/// The texts of a service that the command line lists. A subclass passes them to the constructor
/// and is named in `META-INF/services`.
///
/// @param <C> the record of its configuration
public abstract class NamedService<C extends Record> implements CommandService<C> {
    private final String name;
    private final Class<C> configType;
    private final String description;
    private final String details;
    private final List<String> examples;

    /// @param name        on the command line
    /// @param configType  the record of its keys
    /// @param description one sentence
    /// @param details     further text of the help
    /// @param examples    command lines, without the program's name
    protected NamedService(
            String name,
            Class<C> configType,
            String description,
            String details,
            String... examples) {
        this.name = name;
        this.configType = configType;
        this.description = description;
        this.details = details;
        this.examples = List.of(examples);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Class<C> configType() {
        return configType;
    }

    @Override
    public final String description() {
        return description;
    }

    @Override
    public final String details() {
        return details;
    }

    @Override
    public final List<String> examples() {
        return examples;
    }
}
