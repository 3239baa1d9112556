package dev.outrider.treeverify.model;

import dev.outrider.spi.TargetModel;
import dev.outrider.treeverify.TornadoTargetConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Real checkpoints on the device.
final class Checkpoints {
    private Checkpoints() {}

    /// The checkout.
    static Path root() {
        return Path.of(System.getProperty("outrider.root", "")).toAbsolutePath();
    }

    /// A checkpoint trained by others; the test is skipped where it is absent.
    static Path shared(String name) {
        var found =
                Stream.concat(
                                Optional.ofNullable(System.getenv("OUTRIDER_SHARED"))
                                        .map(Path::of)
                                        .stream(),
                                Stream.of(
                                        root().resolve("../shared"),
                                        root().resolve("../../shared")))
                        .map(shared -> shared.resolve("checkpoints").resolve(name).normalize())
                        .filter(Files::isDirectory)
                        .findFirst();
        Assumptions.assumeTrue(found.isPresent(), name + " is not here; set OUTRIDER_SHARED");
        return found.orElseThrow();
    }

    /// Opens a checkpoint on device 0.
    static TargetModel open(Path path) {
        return new TornadoTargets()
                .open(
                        new TornadoTargetConfig(
                                path,
                                TornadoTargetConfig.WeightFormat.F32,
                                0,
                                16,
                                Optional.of(512),
                                Optional.empty(),
                                Optional.empty()));
    }
}
