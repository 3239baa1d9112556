package dev.outrider.engine.plugins;

import dev.outrider.engine.plugins.Components.Named;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Asks plugins for their factories of one kind and checks the answers.
///
/// @param kind       what the factories make, as errors call it
/// @param list       the plugin's list, or what its class loader finds
/// @param name       a factory's name
/// @param configType a factory's configuration record
record ListedFactories<F>(
        String kind,
        Function<InstalledPlugin, List<? extends F>> list,
        Function<F, String> name,
        Function<F, Class<?>> configType) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    /// The factories of several plugins.
    Components<F> of(List<InstalledPlugin> plugins) {
        var all = new ArrayList<Named<F>>();
        for (var plugin : plugins) {
            var listed =
                    answer(plugin, "the list of its %ss".formatted(kind), () -> list.apply(plugin));
            for (var each : listed) {
                all.add(named(plugin, each));
            }
        }
        return Components.of(kind, all);
    }

    private Named<F> named(InstalledPlugin plugin, F unchecked) {
        F factory = answer(plugin, "the list of its %ss".formatted(kind), () -> unchecked);
        String type = factory.getClass().getName();
        String given = answer(plugin, "%s.name()".formatted(type), () -> name.apply(factory));
        if (!NAME.matcher(given).matches()) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "%s names a %s '%s', expected lower-case letters, digits and single hyphens"
                            .formatted(plugin.origin(), kind, given),
                    "Correct %s.name().".formatted(type));
        }
        Class<?> config =
                answer(plugin, "%s.configType()".formatted(type), () -> configType.apply(factory));
        if (!config.isRecord()) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "%s configures its %s '%s' with %s, expected a record"
                            .formatted(plugin.origin(), kind, given, config.getName()),
                    "Make it a record whose components have the annotation @Doc.");
        }
        return new Named<>(given, factory, plugin);
    }

    private static <T> T answer(InstalledPlugin plugin, String what, Supplier<T> call) {
        return Optional.ofNullable(PluginCalls.call(plugin.origin(), what, call))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.PLUGIN_INVALID,
                                "%s returned null for %s".formatted(plugin.origin(), what),
                                "Report it to whoever wrote the plugin."));
    }
}
