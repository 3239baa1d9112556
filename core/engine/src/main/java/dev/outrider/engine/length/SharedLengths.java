package dev.outrider.engine.length;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Function;
import java.util.function.Supplier;

/// Makes policies whose sequences learn from one another; a plan is its own configuration. Thread-safe.
///
/// @param name       in configurations
/// @param configType the plan
/// @param shared     starts a variant's sequences
public record SharedLengths<C extends Record>(
        String name, Class<C> configType, Function<C, Supplier<DraftLengthPolicy>> shared)
        implements DraftLengthPolicy.Factory<C> {
    @Override
    public DraftLengthPolicy start(C config) {
        return shared.apply(config).get();
    }

    @Override
    public Supplier<DraftLengthPolicy> sequences(C config) {
        return shared.apply(config);
    }
}
