package dev.outrider.cli;

import com.google.inject.AbstractModule;
import dev.outrider.config.ConfigLoader;
import dev.outrider.engine.plugins.PluginRegistry;
import java.nio.file.Path;

/// The registry of plugins, and the reader of configurations that may use what is in it.
final class PluginModule extends AbstractModule {
    private final PluginRegistry registry;

    PluginModule(PluginRegistry registry) {
        this.registry = registry;
    }

    @Override
    protected void configure() {
        bind(PluginRegistry.class).toInstance(registry);
        bind(ConfigLoader.class)
                .toInstance(new ConfigLoader(registry, Path.of("").toAbsolutePath()));
    }
}
