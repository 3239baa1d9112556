package dev.outrider.cli;

import dev.outrider.nn.network.Precision;
import dev.outrider.nn.target.VectorTargetConfig;
import dev.outrider.nn.target.VectorTargetFactory;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.testkit.TargetConformance;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/// What every back end must do, to the last bit, in every number format.
class VectorTargetConformanceTest {
    abstract static class Formats extends TargetConformance {
        private final TargetModel target;

        Formats(Precision precision) {
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

        @AfterAll
        void close() {
            target.close();
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class F32 extends Formats {
        F32() {
            super(Precision.F32);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Bf16 extends Formats {
        Bf16() {
            super(Precision.BF16);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class F16 extends Formats {
        F16() {
            super(Precision.F16);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Int8 extends Formats {
        Int8() {
            super(Precision.INT8);
        }
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class Int4 extends Formats {
        Int4() {
            super(Precision.INT4);
        }
    }
}
