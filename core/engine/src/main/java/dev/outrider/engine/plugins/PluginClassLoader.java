package dev.outrider.engine.plugins;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;
import java.util.List;
import java.util.regex.Pattern;

/// The classes of one plugin folder. Looks into the folder's own jars first, so that two plugins may bring different
/// versions of a library; the contracts and their dependencies come from the host, because both sides must use the same
/// classes. Nothing else of the host can be seen. Thread-safe.
final class PluginClassLoader extends URLClassLoader {
    /// Packages that come from the host, with everything below them.
    static final List<String> SHARED =
            List.of(
                    "dev.outrider.spi.",
                    "dev.outrider.nn.",
                    "dev.outrider.drafting.",
                    "dev.outrider.training.",
                    "dev.outrider.torch.",
                    "ai.djl.",
                    "org.slf4j.",
                    "org.jspecify.");

    /// The resources that DJL, whose classes come from the host, loads through the class loader of the thread: engines, libraries,
    /// versions.
    private static final Pattern OF_DJL =
            Pattern.compile(
                    "(native/lib|jnilib)/.*|META-INF/services/ai\\.djl\\..*|[a-z]+-engine\\.properties");

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader host;
    private final String origin;

    /// @param id     the folder's name; names the loader in stack traces
    /// @param origin the plugin's name in errors
    /// @param jars   the folder's jars
    /// @param host   where shared packages come from
    PluginClassLoader(String id, String origin, List<URL> jars, ClassLoader host) {
        super("plugin-" + id, jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        this.host = host;
        this.origin = origin;
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
        if (own != null) {
            return own;
        }
        return OF_DJL.matcher(name).matches() ? host.getResource(name) : super.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return OF_DJL.matcher(name).matches() ? host.getResources(name) : super.getResources(name);
    }
}
