package dev.outrider.cli;

import com.google.inject.AbstractModule;
import com.google.inject.TypeLiteral;
import dev.outrider.config.ConfigLoader;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.export.HeadExport;
import dev.outrider.engine.plugins.Components;
import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.hub.HubPaths;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.training.TrainerFactory;
import java.nio.file.Path;

/// The registry of plugins, what their jars offer beside it, and the reader of configurations that may use what is in it.
final class PluginModule extends AbstractModule {
    private final PluginRegistry registry;
    private final HubPaths hub;
    private final Components<TrainerFactory<?>> trainers;
    private final Components<DraftBench<?>> benches;
    private final Components<HeadExport<?>> exports;

    /// @throws OutriderException if a trainer, a bench or an export of a plugin cannot be used
    PluginModule(PluginRegistry registry, HubPaths hub) {
        this.registry = registry;
        this.hub = hub;
        trainers = registry.services(CommandKinds.TRAINER);
        benches = registry.services(CommandKinds.DRAFT_BENCH);
        exports = registry.services(CommandKinds.HEAD_EXPORT);
    }

    @Override
    protected void configure() {
        bind(PluginRegistry.class).toInstance(registry);
        bind(new TypeLiteral<Components<TrainerFactory<?>>>() {}).toInstance(trainers);
        bind(new TypeLiteral<Components<DraftBench<?>>>() {}).toInstance(benches);
        bind(new TypeLiteral<Components<HeadExport<?>>>() {}).toInstance(exports);
        bind(ConfigLoader.class)
                .toInstance(new ConfigLoader(registry, Path.of("").toAbsolutePath(), hub));
        bind(HubPaths.class).toInstance(hub);
    }
}
