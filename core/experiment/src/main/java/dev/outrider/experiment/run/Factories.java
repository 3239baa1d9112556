package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.length.DraftLengthPlan;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.engine.processing.ProcessorChain;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.target.LogitsProcessor;
import dev.outrider.spi.target.TargetModel;
import java.util.List;

/// Calls the factories that a configuration names with the settings it gives them.
final class Factories {
    private Factories() {}

    static TargetModel target(Component<TargetModel.Factory<?>> chosen) {
        return open(chosen.factory(), chosen);
    }

    static DrafterTraits traits(Component<Drafter.Factory<?>> chosen) {
        return traits(chosen.factory(), chosen);
    }

    static Drafter drafter(Component<Drafter.Factory<?>> chosen, DrafterContext context) {
        var factory = chosen.factory();
        return PluginContext.during(factory, () -> create(factory, chosen, context));
    }

    static AcceptanceRule rule(Component<AcceptanceRule.Factory<?>> chosen) {
        return make(chosen.factory(), chosen);
    }

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

    private static <C extends Record> TargetModel open(
            TargetModel.Factory<C> factory, Component<?> chosen) {
        return factory.open(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> DrafterTraits traits(
            Drafter.Factory<C> factory, Component<?> chosen) {
        return factory.traits(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> Drafter create(
            Drafter.Factory<C> factory, Component<?> chosen, DrafterContext context) {
        return factory.create(factory.configType().cast(chosen.config()), context);
    }

    private static <C extends Record> AcceptanceRule make(
            AcceptanceRule.Factory<C> factory, Component<?> chosen) {
        return factory.create(factory.configType().cast(chosen.config()));
    }
}
