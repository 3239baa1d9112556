package dev.outrider.experiment.run;

import dev.outrider.config.Component;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.Drafter;
import dev.outrider.spi.DrafterContext;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.DrafterTraits;
import dev.outrider.spi.TargetFactory;
import dev.outrider.spi.TargetModel;

/// Calls the factories that a configuration names with the settings it gives them.
final class Factories {
    private Factories() {}

    static TargetModel target(Catalog catalog, Component<TargetFactory<?>> chosen) {
        return open(catalog.target(chosen.use()), chosen);
    }

    static DrafterTraits traits(Catalog catalog, Component<DrafterFactory<?>> chosen) {
        return traits(catalog.drafter(chosen.use()), chosen);
    }

    static Drafter drafter(
            Catalog catalog, Component<DrafterFactory<?>> chosen, DrafterContext context) {
        var factory = catalog.drafter(chosen.use());
        return PluginContext.during(factory, () -> create(factory, chosen, context));
    }

    static AcceptanceRule rule(Catalog catalog, Component<AcceptanceRuleFactory<?>> chosen) {
        return make(catalog.rule(chosen.use()), chosen);
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
