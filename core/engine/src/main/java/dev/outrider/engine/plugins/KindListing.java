package dev.outrider.engine.plugins;

import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Asks plugins for their factories of one kind and checks the answers.
record KindListing<F extends ComponentFactory<?>>(ComponentKind<F> kind) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    /// The factories of several plugins.
    Components<F> of(List<InstalledPlugin> plugins) {
        var all = new ArrayList<Installed<F>>();
        for (var plugin : plugins) {
            var listed = answer(plugin, list(), () -> kind.list().apply(plugin));
            for (var each : listed) {
                all.add(installed(plugin, each));
            }
        }
        return Components.of(kind, all);
    }

    private Installed<F> installed(InstalledPlugin plugin, F unchecked) {
        F factory = answer(plugin, list(), () -> unchecked);
        String type = factory.getClass().getName();
        String given = answer(plugin, "%s.name()".formatted(type), factory::name);
        if (!NAME.matcher(given).matches()) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "%s names a %s '%s', expected lower-case letters, digits and single hyphens"
                            .formatted(plugin.origin(), kind.noun(), given),
                    "Correct %s.name().".formatted(type));
        }
        Class<? extends Record> config =
                answer(plugin, "%s.configType()".formatted(type), factory::configType);
        if (!config.isRecord()) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "%s configures its %s '%s' with %s, expected a record"
                            .formatted(plugin.origin(), kind.noun(), given, config.getName()),
                    "Make it a record whose components have the annotation @Doc.");
        }
        return new Installed<>(given, factory, config, plugin);
    }

    private String list() {
        return "the list of its %s".formatted(kind.plural());
    }

    private static <T> T answer(InstalledPlugin plugin, String what, Supplier<T> call) {
        return Optional.ofNullable(plugin.ask(what, call))
                .orElseThrow(() ->
                        new OutriderException(
                                ErrorCode.PLUGIN_INVALID,
                                "%s returned null for %s".formatted(plugin.origin(), what),
                                "Report it to whoever wrote the plugin."));
    }
}
