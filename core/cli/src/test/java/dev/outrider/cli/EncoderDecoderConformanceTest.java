package dev.outrider.cli;

import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Runs a back end's conformance tests with sources of different lengths; results must agree to the last bit.
class EncoderDecoderConformanceTest extends TargetConformance {
    @TempDir private static Path folder;
    private static Optional<TargetModel> target = Optional.empty();

    @BeforeAll
    static void open() throws IOException {
        var config =
                new VectorTargetConfig(
                        T5Files.write(folder.resolve("t5"), 2),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
        target = Optional.of(new VectorTargetFactory().open(config));
    }

    @AfterAll
    static void close() {
        target.ifPresent(TargetModel::close);
    }

    @Override
    protected TargetModel target() {
        return target.orElseThrow();
    }
}
