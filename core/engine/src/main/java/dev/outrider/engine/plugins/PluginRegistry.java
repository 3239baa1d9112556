package dev.outrider.engine.plugins;

import dev.outrider.common.ComponentRegistry;
import dev.outrider.common.NearestName;
import dev.outrider.engine.plugins.Components.Installed;
import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.config.ComponentFactory;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
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
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Everything that plugins add, by kind and name. Every name becomes a component here. Immutable.
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

    /// Returns the installed components of a kind.
    @SuppressWarnings("unchecked") // made from this kind, which its factory type identifies
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

    /// Returns the error of a name that no component of any kind has, with the nearest name and all names by kind.
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
        return ErrorCode.UNKNOWN_COMPONENT.error(
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

    /// Returns these plugins and one more, which replaces any plugin of the same origin.
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

    /// Returns the services of a kind, from the class path and from the jars of plugins. Runs their constructors, and the methods
    /// that return their name and configuration.
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

    /// The directory `plugins`, with one folder for each third-party plugin.
    private static final class PluginsDirectory {
        private PluginsDirectory() {}

        /// Loads the plugin of every folder in order of their names. Their class loaders live as long as the process. Files that
        /// are no jars, and names that begin with a dot, do not count.
        ///
        /// @param directory a directory that need not be there
        /// @param host      class loader that has the contracts
        /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_DUPLICATE`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_FAILED`
        public static List<InstalledPlugin> load(Path directory, ClassLoader host) {
            if (!Files.isDirectory(directory)) {
                return List.of();
            }
            return entries(directory).stream()
                    .filter(entry -> !entry.getFileName().toString().startsWith("."))
                    .peek(PluginsDirectory::refuseLooseJar)
                    .filter(Files::isDirectory)
                    .map(folder -> LoadedFolder.open(folder, host).installed())
                    .toList();
        }

        private static void refuseLooseJar(Path entry) {
            var name = entry.getFileName().toString();
            if (name.endsWith(".jar") && Files.isRegularFile(entry)) {
                throw ErrorCode.PLUGIN_INVALID.error(
                        "'%s' lies outside a plugin folder".formatted(entry),
                        "Move it to a folder of its own: %s."
                                .formatted(
                                        entry.resolveSibling(name.replaceFirst("\\.jar$", ""))
                                                .resolve(name)));
            }
        }

        private static List<Path> entries(Path directory) {
            try (var entries = Files.list(directory)) {
                return entries.sorted().toList();
            } catch (IOException e) {
                throw ErrorCode.PLUGIN_INVALID.error(
                        "the plugins in '%s' cannot be listed: %s"
                                .formatted(directory, e.getMessage()),
                        "Check the directory's permissions.",
                        e);
            }
        }
    }

    /// Asks plugins for their factories of one kind and checks the answers.
    private record KindListing<F extends ComponentFactory<?>>(ComponentKind<F> kind) {
        private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

        /// The factories of several plugins.
        Components<F> of(List<InstalledPlugin> plugins) {
            var all = new ArrayList<Installed<F>>();
            for (var plugin : plugins) {
                var listed = answer(plugin, list(), () -> kind.list().apply(plugin.plugin()));
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
                throw ErrorCode.PLUGIN_INVALID.error(
                        "%s names a %s '%s', expected lower-case letters, digits and single hyphens"
                                .formatted(plugin.origin(), kind.noun(), given),
                        "Correct %s.name().".formatted(type));
            }
            Class<? extends Record> config =
                    answer(plugin, "%s.configType()".formatted(type), factory::configType);
            if (!config.isRecord()) {
                throw ErrorCode.PLUGIN_INVALID.error(
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
                            ErrorCode.PLUGIN_INVALID.error(
                                    "%s returned null for %s".formatted(plugin.origin(), what),
                                    "Report it to the author of the plugin."));
        }
    }

    /// The versions of the contracts that a host serves.
    ///
    /// @param oldest the last version that changed incompatibly
    /// @param newest the host's own
    record SpiVersions(int oldest, int newest) {
        /// This build's.
        static final SpiVersions SERVED = new SpiVersions(11, OutriderPlugin.SPI_VERSION);

        /// Refuses a plugin that was built for a version outside this range.
        ///
        /// @throws OutriderException `PLUGIN_INCOMPATIBLE`
        void require(InstalledPlugin plugin, int version) {
            if (version < oldest) {
                throw incompatible(
                        plugin,
                        version,
                        "Install a build of the plugin for this version of Outrider.");
            }
            if (version > newest) {
                throw incompatible(
                        plugin,
                        version,
                        "Install a newer Outrider, or a build of the plugin for this one.");
            }
        }

        private OutriderException incompatible(InstalledPlugin plugin, int version, String remedy) {
            String served =
                    oldest == newest
                            ? String.valueOf(newest)
                            : "%d to %d".formatted(oldest, newest);
            return ErrorCode.PLUGIN_INCOMPATIBLE.error(
                    "%s was built for version %d of the plugin contracts, expected %s"
                            .formatted(plugin.described(), version, served),
                    remedy);
        }
    }
}
