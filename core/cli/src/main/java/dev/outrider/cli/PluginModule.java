package dev.outrider.cli;

import com.google.inject.AbstractModule;
import com.google.inject.TypeLiteral;
import com.google.inject.multibindings.MapBinder;
import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.TargetFactory;
import java.util.ServiceLoader;

/// What plugins add, by name.
final class PluginModule extends AbstractModule {
    private static final TypeLiteral<String> NAME = new TypeLiteral<>() {};

    @Override
    protected void configure() {
        var drafters =
                MapBinder.newMapBinder(binder(), NAME, new TypeLiteral<DrafterFactory<?>>() {});
        var rules =
                MapBinder.newMapBinder(
                        binder(), NAME, new TypeLiteral<AcceptanceRuleFactory<?>>() {});
        var targets =
                MapBinder.newMapBinder(binder(), NAME, new TypeLiteral<TargetFactory<?>>() {});
        for (var plugin : ServiceLoader.load(OutriderPlugin.class)) {
            plugin.drafters().forEach(each -> drafters.addBinding(each.name()).toInstance(each));
            plugin.acceptanceRules()
                    .forEach(each -> rules.addBinding(each.name()).toInstance(each));
            plugin.targets().forEach(each -> targets.addBinding(each.name()).toInstance(each));
        }
    }
}
