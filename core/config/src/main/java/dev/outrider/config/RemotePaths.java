package dev.outrider.config;

import java.nio.file.Path;
import java.util.Optional;

/// Names of files and folders that may be used in place of a path, such as a model on a hub.
/// Thread-safe.
@FunctionalInterface
public interface RemotePaths {
    /// Returns the position of the files of a name, without a download.
    ///
    /// @return nothing if the text is not such a name but an ordinary path
    /// @throws IllegalArgumentException if it is a malformed name; the message says what was
    ///     expected
    Optional<Place> place(String text);

    /// Returns an instance without names.
    static RemotePaths none() {
        return _ -> Optional.empty();
    }

    /// A position of files.
    ///
    /// @param path     on this machine, or where they would be
    /// @param revision their revision; nothing if they are missing on this machine
    record Place(Path path, Optional<String> revision) {}
}
