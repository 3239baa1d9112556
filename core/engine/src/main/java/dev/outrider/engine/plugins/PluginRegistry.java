package dev.outrider.engine.plugins;

import dev.outrider.spi.AcceptanceRuleFactory;
import dev.outrider.spi.DrafterFactory;
import dev.outrider.spi.OutriderException;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.TargetFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// Everything plugins add, by kind and name. Immutable.
///
/// @param plugins         the plugins themselves, in the order they were found
/// @param drafters        drafter factories
/// @param acceptanceRules acceptance rule factories
/// @param targets         target factories
public record PluginRegistry(
        List<InstalledPlugin> plugins,
        Components<DrafterFactory<?>> drafters,
        Components<AcceptanceRuleFactory<?>> acceptanceRules,
        Components<TargetFactory<?>> targets) {
    public PluginRegistry {
        plugins = List.copyOf(plugins);
    }

    /// The plugins a class loader sees through [ServiceLoader].
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public static PluginRegistry onClassPath(ClassLoader loader) {
        return of(classPath(loader));
    }

    /// The plugins on the class path and those of a directory.
    ///
    /// @param loader    class loader of the class path
    /// @param directory where plugin folders are; need not be there
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    /// @see PluginsDirectory
    public static PluginRegistry load(ClassLoader loader, Path directory) {
        return of(
                Stream.concat(
                                classPath(loader).stream(),
                                PluginsDirectory.load(directory, loader).stream())
                        .toList());
    }

    /// The components of given plugins.
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public static PluginRegistry of(List<InstalledPlugin> plugins) {
        plugins.forEach(PluginRegistry::requireCompatible);
        return new PluginRegistry(
                plugins,
                new ListedFactories<DrafterFactory<?>>(
                                "drafter",
                                plugin -> plugin.plugin().drafters(),
                                DrafterFactory::name,
                                DrafterFactory::configType)
                        .of(plugins),
                new ListedFactories<AcceptanceRuleFactory<?>>(
                                "acceptance rule",
                                plugin -> plugin.plugin().acceptanceRules(),
                                AcceptanceRuleFactory::name,
                                AcceptanceRuleFactory::configType)
                        .of(plugins),
                new ListedFactories<TargetFactory<?>>(
                                "target",
                                plugin -> plugin.plugin().targets(),
                                TargetFactory::name,
                                TargetFactory::configType)
                        .of(plugins));
    }

    /// These plugins and one more, in place of any that has its origin.
    ///
    /// @throws OutriderException what [#of] throws
    public PluginRegistry with(InstalledPlugin plugin) {
        return of(
                Stream.concat(
                                plugins.stream()
                                        .filter(each -> !each.origin().equals(plugin.origin())),
                                Stream.of(plugin))
                        .toList());
    }

    /// Services of a kind, from the class path and from the jars of plugins. Their constructors run, and what says their name and
    /// configuration.
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public <S> Components<S> services(ServiceKind<S> kind) {
        var loaders = new LinkedHashMap<ClassLoader, InstalledPlugin>();
        for (var plugin : plugins) {
            loaders.putIfAbsent(plugin.plugin().getClass().getClassLoader(), plugin);
        }
        return new ListedFactories<S>(
                        kind.noun(),
                        plugin -> services(kind, plugin),
                        kind.name(),
                        kind.configType())
                .of(List.copyOf(loaders.values()));
    }

    @SuppressWarnings("unchecked")
    private static <S> List<S> services(ServiceKind<S> kind, InstalledPlugin plugin) {
        var found = new ArrayList<S>();
        ServiceLoader.load(kind.type(), plugin.plugin().getClass().getClassLoader())
                .forEach(service -> found.add((S) service));
        return found;
    }

    private static List<InstalledPlugin> classPath(ClassLoader loader) {
        return PluginCalls.call(
                "a plugin on the class path",
                "its constructor",
                () -> {
                    var found = new ArrayList<InstalledPlugin>();
                    for (var plugin : ServiceLoader.load(OutriderPlugin.class, loader)) {
                        found.add(new InstalledPlugin(InstalledPlugin.CLASS_PATH, plugin));
                    }
                    return found;
                });
    }

    private static void requireCompatible(InstalledPlugin plugin) {
        int version =
                PluginCalls.call(plugin.origin(), "spiVersion()", plugin.plugin()::spiVersion);
        SpiVersions.SERVED.require(plugin, version);
    }
}
