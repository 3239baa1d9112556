package dev.outrider.engine.length.bandit;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/// The engine's bandits over draft lengths.
public final class BanditLengths {
    private BanditLengths() {}

    /// What makes them; a plan is its own configuration.
    public static List<DraftLengthPolicy.Factory<?>> factories() {
        return List.of(
                new Shared<>("ucb", UcbLength.class, UcbLength::shared),
                new Shared<>("exp3", Exp3Length.class, Exp3Length::shared));
    }

    /// Makes policies whose sequences learn from one another. Thread-safe.
    ///
    /// @param shared starts a variant's sequences
    private record Shared<C extends Record>(
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
}
