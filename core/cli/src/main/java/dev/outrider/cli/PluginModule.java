package dev.outrider.cli;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.MapBinder;
import dev.outrider.config.ConfigLoader;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.engine.plugins.ServiceKind;
import dev.outrider.experiment.run.Catalog;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.TargetFactory;
import dev.outrider.training.TrainerFactory;
import java.nio.file.Path;
import java.util.Map;

/// What plugins add, by name, and the reader of configurations that may use it.
final class PluginModule extends AbstractModule {
    private static final TypeLiteral<String> NAME = new TypeLiteral<>() {};

    private static final ServiceKind<TrainerFactory<?>> TRAINERS =
            new ServiceKind<>(
                    TrainerFactory.class,
                    "trainer",
                    TrainerFactory::name,
                    TrainerFactory::configType);
    private static final ServiceKind<DraftBench<?>> BENCHES =
            new ServiceKind<>(
                    DraftBench.class, "draft bench", DraftBench::name, DraftBench::configType);

    private final PluginRegistry registry;
    private final Components<TrainerFactory<?>> trainers;
    private final Components<DraftBench<?>> benches;

    /// @throws OutriderException if a trainer or a bench of a plugin cannot be used
    PluginModule(PluginRegistry registry) {
        this.registry = registry;
        trainers = registry.services(TRAINERS);
        benches = registry.services(BENCHES);
    }

    @Override
    protected void configure() {
        bind(PluginRegistry.class).toInstance(registry);
        bind(new TypeLiteral<Components<TrainerFactory<?>>>() {}).toInstance(trainers);
        bind(new TypeLiteral<Components<DraftBench<?>>>() {}).toInstance(benches);
        bindAll(registry.drafters(), new TypeLiteral<DrafterFactory<?>>() {});
        bindAll(registry.acceptanceRules(), new TypeLiteral<AcceptanceRuleFactory<?>>() {});
        bindAll(registry.targets(), new TypeLiteral<TargetFactory<?>>() {});
    }

    @Provides
    @Singleton
    Catalog catalog(
            Map<String, TargetFactory<?>> targets,
            Map<String, DrafterFactory<?>> drafters,
            Map<String, AcceptanceRuleFactory<?>> rules) {
        return new Catalog(targets, drafters, rules);
    }

    @Provides
    @Singleton
    ConfigLoader configLoader(Catalog catalog) {
        return new ConfigLoader(catalog.components(), Path.of("").toAbsolutePath());
    }

    private <F> void bindAll(Components<F> components, TypeLiteral<F> type) {
        var binder = MapBinder.newMapBinder(binder(), NAME, type);
        components.byName().forEach((name, factory) -> binder.addBinding(name).toInstance(factory));
    }
}
