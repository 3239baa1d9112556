package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Calls the factories that a configuration names with the settings it gives them.
final class Factories {
    private Factories() {}

    /// A plan that starts policies of a factory.
    static DraftLengthPlan lengths(Component<DraftLengthPolicy.Factory<?>> chosen) {
        return new Lengths(chosen);
    }

    /// The processors of an experiment.
    ///
    /// @param checked whether each is asked twice, to see that it is a function of its arguments
    static ProcessorChain processors(
            List<Component<LogitsProcessor.Factory<?>>> chosen,
            TargetModel target,
            boolean checked) {
        return new ProcessorChain(
                chosen.stream()
                        .map(each ->
                                new ProcessorChain.Named(
                                        each.use(), processor(each.factory(), each, target)))
                        .toList(),
                checked);
    }

    private record Lengths(Component<DraftLengthPolicy.Factory<?>> chosen)
            implements DraftLengthPlan {
        @Override
        public String name() {
            return chosen.use();
        }

        @Override
        public DraftLengthPolicy start() {
            var factory = chosen.factory();
            return PluginContext.during(factory, () -> Factories.start(factory, chosen));
        }
    }

    private static <C extends Record> DraftLengthPolicy start(
            DraftLengthPolicy.Factory<C> factory, Component<?> chosen) {
        return factory.start(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> LogitsProcessor processor(
            LogitsProcessor.Factory<C> factory, Component<?> chosen, TargetModel target) {
        var config = factory.configType().cast(chosen.config());
        return PluginContext.during(factory, () -> factory.create(config, target));
    }
}
