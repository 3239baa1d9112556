package dev.outrider.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts the program where the system allows it to load almost no library, in a separate process.
class MainTest {
    @TempDir private Path folder = Path.of("");

    @Test
    void librariesThatCannotBeLoadedAreACodedFailure() throws Exception {
        var said = folder.resolve("err");
        var ownClasses = Main.class.getProtectionDomain().getCodeSource().getLocation();
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                Path.of(ownClasses.toURI()).toString(),
                                Main.class.getName(),
                                "--version")
                        .redirectError(said.toFile())
                        .start();

        assertThat(process.waitFor()).isEqualTo(ExitCode.FAILURE);
        assertThat(said)
                .content()
                .startsWith(
                        "IO_FAILED: a part of Outrider cannot be loaded: java.lang.NoClassDefFoundError: ")
                .hasLineCount(2);
    }
}
