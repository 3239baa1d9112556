package dev.outrider.cli;

import dev.outrider.engine.plugins.InstalledPlugin;
import java.util.List;
import java.util.Objects;

/// Something that a command such as `train` runs by name.
///
/// @param name   the word after the command
/// @param origin where it comes from, as [InstalledPlugin#origin]
/// @param config the record its configuration binds to
/// @param about  what it says of itself
record Service(String name, String origin, Class<? extends Record> config, About about) {
    /// What help and lists say of it.
    ///
    /// @param description what it does, in one sentence
    /// @param details     more about it, or nothing
    /// @param examples    command lines
    record About(String description, String details, List<String> examples) {
        About {
            Objects.requireNonNull(description, "no description");
            Objects.requireNonNull(details, "no details");
            examples = List.copyOf(examples);
        }
    }

    /// The line that lists it.
    String line() {
        var from = origin.equals(InstalledPlugin.CLASS_PATH) ? "" : " [" + origin + "]";
        return "%-12s %s%s".formatted(name, about.description(), from);
    }
}
