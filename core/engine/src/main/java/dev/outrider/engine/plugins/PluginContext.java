package dev.outrider.engine.plugins;

import dev.outrider.engine.plugins.LoadedFolder.PluginFolder;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.function.Supplier;

/// The context class loader of a plugin's calls: its own. Libraries of the plugin that look for services find the plugin's, and a
/// thread that is started during a call inherits the loader, which tells whose it is.
public final class PluginContext {
    private PluginContext() {}

    /// Calls code of a plugin with its class loader as the thread's.
    ///
    /// @param plugin any object of the plugin
    public static <T> T during(Object plugin, Supplier<T> call) {
        var thread = Thread.currentThread();
        var before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /// Live platform threads that plugins started, or that run their code. A virtual thread is not found.
    ///
    /// @return name and plugin, such as `pool-3-thread-1 of plugin-word-echo`, in order
    public static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getContextClassLoader() instanceof PluginClassLoader)
                .map(thread -> thread.getName() + " of " + thread.getContextClassLoader().getName())
                .sorted()
                .toList();
    }

    /// The classes of one plugin folder. Looks into the folder's own jars first, so that two plugins may bring different
    /// versions of a library; the contracts and what they are built on come from the host, for both sides must mean the same
    /// classes. Nothing else of the host can be seen. Thread-safe.
    static final class PluginClassLoader extends URLClassLoader {
        /// Packages that come from the host, with everything below them.
        static final List<String> SHARED =
                List.of(
                        "dev.outrider.spi.",
                        "dev.outrider.nn.",
                        "dev.outrider.drafting.",
                        "dev.outrider.training.",
                        "ai.djl.",
                        "org.slf4j.",
                        "org.jspecify.");

        static {
            registerAsParallelCapable();
        }

        private final ClassLoader host;
        private final String origin;

        /// @param id   the folder's name; names the loader in stack traces
        /// @param jars the folder's jars
        /// @param host where shared packages come from
        PluginClassLoader(String id, List<URL> jars, ClassLoader host) {
            super("plugin-" + id, jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
            this.host = host;
            this.origin = PluginFolder.origin(id);
        }

        /// The plugin's name in errors.
        String origin() {
            return origin;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null) {
                    loaded = find(name);
                }
                if (resolve) {
                    resolveClass(loaded);
                }
                return loaded;
            }
        }

        private Class<?> find(String name) throws ClassNotFoundException {
            if (SHARED.stream().anyMatch(name::startsWith)) {
                return host.loadClass(name);
            }
            if (name.startsWith("java.")) {
                return getParent().loadClass(name);
            }
            try {
                return findClass(name);
            } catch (ClassNotFoundException notInTheFolder) {
                return getParent().loadClass(name);
            }
        }

        @Override
        public URL getResource(String name) {
            URL own = findResource(name);
            return own == null ? super.getResource(name) : own;
        }
    }
}
