package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.spi.run.DraftLengthPolicy;
import java.util.function.Supplier;

/// A plan that starts the policies a configuration names.
///
/// @param name      of the policies' factory
/// @param sequences makes the policy of a sequence
record ChosenLengths(String name, Supplier<DraftLengthPolicy> sequences)
        implements DraftLengthPlan {
    static ChosenLengths of(Component<DraftLengthPolicy.Factory<?>> chosen) {
        return new ChosenLengths(
                chosen.use(), Factories.sequences(chosen.factory(), chosen.config()));
    }

    @Override
    public DraftLengthPolicy start() {
        return sequences.get();
    }
}
