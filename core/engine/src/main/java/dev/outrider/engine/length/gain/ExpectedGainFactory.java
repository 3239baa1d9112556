package dev.outrider.engine.length.gain;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// Makes `expected-gain`. Thread-safe.
public final class ExpectedGainFactory implements DraftLengthPolicy.Factory<ExpectedGainLength> {
    @Override
    public String name() {
        return "expected-gain";
    }

    @Override
    public Class<ExpectedGainLength> configType() {
        return ExpectedGainLength.class;
    }

    @Override
    public DraftLengthPolicy start(ExpectedGainLength config) {
        return config.start();
    }

    @Override
    public Supplier<DraftLengthPolicy> sequences(ExpectedGainLength config) {
        return config.shared();
    }
}
