package dev.outrider.cli;

import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs a back end's conformance tests, which compare to the last bit, in one number format of every kind; the nightly run tests
/// all formats.
@ParameterizedClass
@MethodSource("precisions")
class VectorTargetConformanceTest extends TargetConformance {
    private final TargetModel target;

    static Stream<Arguments> precisions() {
        var tested =
                Boolean.getBoolean("outrider.nightly")
                        ? Stream.of(Precision.values())
                        : Stream.of(Precision.BF16, Precision.INT4, Precision.W8A8);
        return Stream.concat(
                tested.map(precision -> Arguments.of(precision, CachePrecision.F32)),
                Stream.of(CachePrecision.BF16, CachePrecision.INT8)
                        .map(caches -> Arguments.of(Precision.BF16, caches)));
    }

    VectorTargetConformanceTest(Precision precision, CachePrecision caches) {
        var config =
                new VectorTargetConfig(
                        Shipped.ROOT.resolve("models/tiny-target"),
                        Optional.of(precision),
                        RowPrecision.INT8,
                        caches,
                        Optional.empty(),
                        Optional.of(64),
                        Optional.empty());
        target = new VectorTargetFactory().open(config);
    }

    @Override
    protected TargetModel target() {
        return target;
    }

    @AfterEach
    void close() {
        target.close();
    }
}
