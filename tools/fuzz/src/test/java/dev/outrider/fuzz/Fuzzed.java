package dev.outrider.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Entry point for Jazzer. The system property `outrider.fuzz.target` names the target.
public final class Fuzzed {
    private static final Target TARGET =
            Target.of(System.getProperty("outrider.fuzz.target", "")).orElseThrow();
    private static final Path FOLDER = folder();

    private Fuzzed() {}

    /// Reads one input.
    public static void fuzzerTestOneInput(byte[] input) throws IOException {
        Oracle.check(TARGET, input, FOLDER);
    }

    /// Returns a folder after every seed has been read once, so that class loading is not counted
    /// against an input.
    private static Path folder() {
        try {
            var folder = Files.createTempDirectory("fuzz-");
            for (var seed : Seeds.of(TARGET)) {
                Oracle.check(TARGET, Files.readAllBytes(seed), folder);
            }
            return folder;
        } catch (IOException e) {
            throw new IllegalStateException("no folder for temporary files", e);
        }
    }
}
