package dev.outrider.engine.length;

import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.List;

/// The engine's own ways to choose draft lengths.
public final class BuiltInLengths {
    private BuiltInLengths() {}

    /// What makes them; a plan is its own configuration.
    public static List<DraftLengthPolicy.Factory<?>> factories() {
        return List.of(
                new Plans<>("fixed", FixedLength.class),
                new Plans<>("adaptive", AdaptiveLength.class),
                new Plans<>("heuristic", HeuristicLength.class));
    }

    private record Plans<C extends Record & DraftLengthPlan>(String name, Class<C> configType)
            implements DraftLengthPolicy.Factory<C> {
        @Override
        public DraftLengthPolicy start(C config) {
            return config.start();
        }
    }
}
