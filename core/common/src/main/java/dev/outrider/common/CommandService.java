package dev.outrider.common;

import dev.outrider.spi.config.ComponentFactory;
import java.util.List;

/// A service that the command line lists and runs by name, such as a trainer, a bench or an export.
///
/// @param <C> the record its configuration binds to; its keys are options of the command too
public interface CommandService<C extends Record> extends ComponentFactory<C> {
    /// {@return what it does, in one sentence}
    String description();

    /// {@return more about it for the help, or nothing}
    default String details() {
        return "";
    }

    /// {@return command lines for the help, without the program's name}
    default List<String> examples() {
        return List.of();
    }
}
