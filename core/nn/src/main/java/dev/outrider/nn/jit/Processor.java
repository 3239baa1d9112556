package dev.outrider.nn.jit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What Linux says about this machine's processors.
public final class Processor {
    private static final Path FILE = Path.of("/proc/cpuinfo");

    private Processor() {}

    /// Returns a field of the first processor, if the system is Linux and has the field.
    ///
    /// @param name its name in `/proc/cpuinfo`
    public static Optional<String> field(String name) {
        if (!"Linux".equals(System.getProperty("os.name"))) {
            return Optional.empty();
        }
        try (var lines = Files.lines(FILE)) {
            return field(lines, name);
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty(); // some containers do not have the file
        }
    }

    static Optional<String> field(Stream<String> lines, String name) {
        return lines.map(line -> line.split(":", 2))
                .filter(parts -> parts.length == 2 && parts[0].strip().equals(name))
                .map(parts -> parts[1].strip())
                .findFirst();
    }

    /// Returns the names of the instruction sets that the processor and the system support.
    public static List<String> instructionSets() {
        var names = field("flags").or(() -> field("Features")).orElse("");
        return List.of(names.split("\\s+"));
    }
}
