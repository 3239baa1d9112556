package dev.outrider.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What the build wrote down about itself.
final class BuildInfo {
    private BuildInfo() {}

    /// The version in the root `pom.xml`.
    static String version() {
        try (var in = BuildInfo.class.getResourceAsStream("build.properties")) {
            var properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "of an unknown version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
