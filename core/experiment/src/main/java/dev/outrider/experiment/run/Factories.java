package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.target.TargetModel;

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
