package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.spi.run.DraftLengthPolicy;

/// A plan that starts the policies a configuration names.
record ChosenLengths(Component<DraftLengthPolicy.Factory<?>> chosen) implements DraftLengthPlan {
    @Override
    public String name() {
        return chosen.use();
    }

    @Override
    public DraftLengthPolicy start() {
        return Factories.lengths(chosen.factory(), chosen.config());
    }
}
