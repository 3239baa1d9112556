package dev.outrider.engine.plugins;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.common.NearestName;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything plugins add, by kind and name: the one place where a name becomes a component. Immutable.
public final class PluginRegistry implements ComponentRegistry {
    private final List<InstalledPlugin> plugins;
    private final Optional<Path> directory;
    private final Map<Class<?>, Components<?>> byFactoryType = new HashMap<>();

    private PluginRegistry(List<InstalledPlugin> plugins, Optional<Path> directory) {
        this.plugins = List.copyOf(plugins);
        this.directory = directory;
        plugins.forEach(PluginRegistry::requireCompatible);
        for (ComponentKind<?> kind : ComponentKind.all()) {
            byFactoryType.put(kind.factoryType(), new KindListing<>(kind).of(plugins));
        }
    }

    /// The plugins a class loader sees through [ServiceLoader].
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public static PluginRegistry onClassPath(ClassLoader loader) {
        return new PluginRegistry(classPath(loader), Optional.empty());
    }

    /// The plugins on the class path and those of a directory.
    ///
    /// @param loader    class loader of the class path
    /// @param directory where plugin folders are; need not be there
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    /// @see PluginsDirectory
    public static PluginRegistry load(ClassLoader loader, Path directory) {
        return new PluginRegistry(
                Stream.concat(
                                classPath(loader).stream(),
                                PluginsDirectory.load(directory, loader).stream())
                        .toList(),
                Optional.of(directory));
    }

    /// The components of given plugins.
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public static PluginRegistry of(List<InstalledPlugin> plugins) {
        return new PluginRegistry(plugins, Optional.empty());
    }

    /// The plugins themselves, in the order they were found.
    public List<InstalledPlugin> plugins() {
        return plugins;
    }

    /// What is installed of a kind.
    @SuppressWarnings("unchecked") // made from this very kind, which its factory type stands for
    public <F extends ComponentFactory<?>> Components<F> all(ComponentKind<F> kind) {
        return (Components<F>)
                Optional.ofNullable(byFactoryType.get(kind.factoryType())).orElseThrow();
    }

    @Override
    public Optional<Components<?>> kind(Class<?> factoryType) {
        return Optional.ofNullable(byFactoryType.get(factoryType));
    }

    @Override
    public String more() {
        return directory
                .map(place -> "plugins in '%s' add others".formatted(place))
                .orElse("plugins add others");
    }

    /// What is wrong with a name that no component of any kind has: the nearest one, and all by kind.
    ///
    /// @return `UNKNOWN_COMPONENT`
    public OutriderException unknown(String name) {
        SortedSet<String> names = new TreeSet<>();
        var known = new StringJoiner("; ");
        for (ComponentKind<?> kind : ComponentKind.all()) {
            var installed = all(kind).names();
            names.addAll(installed);
            known.add(
                    "%s: %s"
                            .formatted(
                                    kind.plural(),
                                    installed.isEmpty() ? "none" : String.join(", ", installed)));
        }
        String guess = NearestName.to(name, names).map("Did you mean '%s'? "::formatted).orElse("");
        return new OutriderException(
                ErrorCode.UNKNOWN_COMPONENT,
                "there is no %s '%s'".formatted(anyKind(), name),
                "%sKnown %s; %s.".formatted(guess, known, more()));
    }

    /// `target, drafter or acceptance rule`.
    private static String anyKind() {
        return ComponentKind.all().stream()
                .map(ComponentKind::noun)
                .collect(Collectors.joining(", "))
                .replaceFirst(", (?=[^,]*$)", " or ");
    }

    /// These plugins and one more, in place of any that has its origin.
    ///
    /// @throws OutriderException what [#of] throws
    public PluginRegistry with(InstalledPlugin plugin) {
        return new PluginRegistry(
                Stream.concat(
                                plugins.stream()
                                        .filter(each -> !each.origin().equals(plugin.origin())),
                                Stream.of(plugin))
                        .toList(),
                directory);
    }

    /// Services of a kind, from the class path and from the jars of plugins. Their constructors run, and what says their name and
    /// configuration.
    ///
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_DUPLICATE`, `PLUGIN_FAILED`
    public <S extends ComponentFactory<?>> Components<S> services(ComponentKind<S> kind) {
        var loaders = new LinkedHashMap<ClassLoader, InstalledPlugin>();
        for (var plugin : plugins) {
            loaders.putIfAbsent(plugin.plugin().getClass().getClassLoader(), plugin);
        }
        return new KindListing<>(kind).of(List.copyOf(loaders.values()));
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
        int version = plugin.ask("spiVersion()", plugin.plugin()::spiVersion);
        SpiVersions.SERVED.require(plugin, version);
    }
}
