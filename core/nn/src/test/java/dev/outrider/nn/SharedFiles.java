package dev.outrider.nn;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Test data that is not part of the project: checkpoints trained by others.
public final class SharedFiles {
    private SharedFiles() {}

    /// A directory of such data; the test is skipped where it is absent.
    public static Path orSkip(String name) {
        var found =
                roots().map(root -> root.resolve(name).normalize())
                        .filter(Files::isDirectory)
                        .findFirst();
        Assumptions.assumeTrue(found.isPresent(), name + " is not here; set OUTRIDER_SHARED");
        return found.orElseThrow();
    }

    private static Stream<Path> roots() {
        var root = Path.of(System.getProperty("outrider.root", ".")).toAbsolutePath();
        return Stream.concat(
                Optional.ofNullable(System.getenv("OUTRIDER_SHARED")).map(Path::of).stream(),
                Stream.of(root.resolve("../shared"), root.resolve("../../shared")));
    }
}
