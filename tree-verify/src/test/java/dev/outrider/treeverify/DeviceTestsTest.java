package dev.outrider.treeverify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.sdk.SdkRequirement;
import dev.outrider.treeverify.sdk.SdkRequirement.TornadoSdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The device tests are in a separate source folder, which is compiled only with TornadoVM's SDK. Without the SDK this class
/// reports each of them as skipped, with the reason. With the SDK it fails if they were not compiled.
class DeviceTestsTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("outrider.root", ".."), "tree-verify/src/test-tornado/java");

    @TestFactory
    Stream<DynamicTest> runWhereTheSdkIs() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            var classes =
                    files.filter(file -> file.toString().endsWith("Test.java"))
                            .map(SOURCES::relativize)
                            .map(file -> file.toString().replaceAll("[/\\\\]", "."))
                            .map(name -> name.substring(0, name.length() - ".java".length()))
                            .sorted()
                            .toList();
            assertThat(classes).isNotEmpty();
            return classes.stream()
                    .map(name -> DynamicTest.dynamicTest(name, () -> isCompiled(name)));
        }
    }

    private static void isCompiled(String name) throws ClassNotFoundException {
        reasonToSkip().ifPresent(Assumptions::abort);
        assertThat(Class.forName(name)).isNotNull();
    }

    private static Optional<String> reasonToSkip() {
        if (System.getenv(TornadoSdk.VARIABLE) == null) {
            return Optional.of(
                    TornadoSdk.VARIABLE
                            + " is not set, so device code was neither compiled nor tested; see docs/guide/gpu.md");
        }
        try {
            SdkRequirement.ofThisProcess().requireSdk();
            return Optional.empty();
        } catch (OutriderException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
