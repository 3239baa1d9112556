package dev.outrider.config;

import java.nio.file.Path;
import java.util.Optional;

/// Names of files and folders that a configuration may give in place of a path, such as a model's on a hub. Thread-safe.
@FunctionalInterface
public interface RemotePaths {
    /// Where the files of a name are, without fetching anything.
    ///
    /// @return nothing if the text is no such name but an ordinary path
    /// @throws IllegalArgumentException if it is a malformed name; the message is what was expected
    Optional<Place> place(String text);

    /// No names.
    static RemotePaths none() {
        return _ -> Optional.empty();
    }

    /// Where files are.
    ///
    /// @param path     on this machine, or where they would be
    /// @param revision which revision they are; nothing if they are not on this machine
    record Place(Path path, Optional<String> revision) {}
}
