package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterContext;
import dev.outrider.spi.draft.DrafterFactory;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.AcceptanceRuleFactory;
import dev.outrider.spi.target.TargetFactory;
import dev.outrider.spi.target.TargetModel;

/// Calls the factories that a configuration names with the settings it gives them.
final class Factories {
    private Factories() {}

    static TargetModel target(Component<TargetFactory<?>> chosen) {
        return open(chosen.factory(), chosen);
    }

    static DrafterTraits traits(Component<DrafterFactory<?>> chosen) {
        return traits(chosen.factory(), chosen);
    }

    static Drafter drafter(Component<DrafterFactory<?>> chosen, DrafterContext context) {
        var factory = chosen.factory();
        return PluginContext.during(factory, () -> create(factory, chosen, context));
    }

    static AcceptanceRule rule(Component<AcceptanceRuleFactory<?>> chosen) {
        return make(chosen.factory(), chosen);
    }

    private static <C extends Record> TargetModel open(
            TargetFactory<C> factory, Component<?> chosen) {
        return factory.open(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> DrafterTraits traits(
            DrafterFactory<C> factory, Component<?> chosen) {
        return factory.traits(factory.configType().cast(chosen.config()));
    }

    private static <C extends Record> Drafter create(
            DrafterFactory<C> factory, Component<?> chosen, DrafterContext context) {
        return factory.create(factory.configType().cast(chosen.config()), context);
    }

    private static <C extends Record> AcceptanceRule make(
            AcceptanceRuleFactory<C> factory, Component<?> chosen) {
        return factory.create(factory.configType().cast(chosen.config()));
    }
}
