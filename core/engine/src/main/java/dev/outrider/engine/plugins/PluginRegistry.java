package dev.outrider.engine.plugins;

import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.TargetFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Everything plugins add, by kind and name. Immutable.
///
/// @param drafters        drafter factories
/// @param acceptanceRules acceptance rule factories
/// @param targets         target factories
public record PluginRegistry(
        Components<DrafterFactory<?>> drafters,
        Components<AcceptanceRuleFactory<?>> acceptanceRules,
        Components<TargetFactory<?>> targets) {
    /// The plugins a class loader sees through [ServiceLoader].
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`
    public static PluginRegistry onClassPath(ClassLoader loader) {
        var plugins = new ArrayList<OutriderPlugin>();
        try {
            ServiceLoader.load(OutriderPlugin.class, loader).forEach(plugins::add);
        } catch (ServiceConfigurationError e) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "a plugin on the class path cannot be loaded: %s".formatted(e.getMessage()),
                    "Remove its jar, or correct its META-INF/services entry.",
                    e);
        }
        return of(plugins);
    }

    /// The components of given plugins.
    ///
    /// @throws OutriderException `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`
    public static PluginRegistry of(List<OutriderPlugin> plugins) {
        plugins.forEach(PluginRegistry::requireCompatible);
        return new PluginRegistry(
                Components.of(
                        "drafter",
                        plugins.stream().flatMap(plugin -> plugin.drafters().stream()).toList(),
                        DrafterFactory::name),
                Components.of(
                        "acceptance rule",
                        plugins.stream()
                                .flatMap(plugin -> plugin.acceptanceRules().stream())
                                .toList(),
                        AcceptanceRuleFactory::name),
                Components.of(
                        "target",
                        plugins.stream().flatMap(plugin -> plugin.targets().stream()).toList(),
                        TargetFactory::name));
    }

    private static void requireCompatible(OutriderPlugin plugin) {
        if (plugin.spiVersion() != OutriderPlugin.SPI_VERSION) {
            throw new OutriderException(
                    ErrorCode.PLUGIN_INCOMPATIBLE,
                    "plugin %s was built for version %d of the plugin contracts, expected %d"
                            .formatted(
                                    plugin.getClass().getName(),
                                    plugin.spiVersion(),
                                    OutriderPlugin.SPI_VERSION),
                    "Install a build of the plugin for this version of Outrider.");
        }
    }
}
