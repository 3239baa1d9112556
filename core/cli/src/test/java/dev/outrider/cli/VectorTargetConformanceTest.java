package dev.outrider.cli;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What every back end must do, to the last bit, in every number format.
@ParameterizedClass
@EnumSource(Precision.class)
class VectorTargetConformanceTest extends TargetConformance {
    private final TargetModel target;

    VectorTargetConformanceTest(Precision precision) {
        var config =
                new VectorTargetConfig(
                        Shipped.ROOT.resolve("models/tiny-target"),
                        Optional.of(precision),
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
