package dev.outrider.fuzz;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The known inputs: valid ones, and all past findings.
final class Seeds {
    private Seeds() {}

    /// Returns the folder of a target's seeds.
    static Path folder(Target target) {
        try {
            var root = Optional.ofNullable(Seeds.class.getResource("/seeds")).orElseThrow();
            return Path.of(root.toURI()).resolve(target.id());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a resource has a place", e);
        }
    }

    /// Returns a target's seeds, sorted.
    static List<Path> of(Target target) throws IOException {
        try (var files = Files.list(folder(target))) {
            return files.sorted().toList();
        }
    }
}
