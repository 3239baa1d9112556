package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ServiceLoader;

/// The plugin of one folder, loaded. Owns the folder's class loader: after it is closed, no class of the plugin can be loaded
/// any more.
public final class LoadedFolder implements AutoCloseable {
    private final PluginClassLoader loader;
    private final InstalledPlugin installed;

    private LoadedFolder(PluginClassLoader loader, InstalledPlugin installed) {
        this.loader = loader;
        this.installed = installed;
    }

    /// Loads the plugin of a folder. Runs its constructor, nothing else.
    ///
    /// @param folder `plugins/<id>`
    /// @param host   class loader that has the contracts
    /// @throws OutriderException `PLUGIN_INVALID`, `PLUGIN_DUPLICATE`, `PLUGIN_INCOMPATIBLE`, `PLUGIN_FAILED`
    public static LoadedFolder open(Path folder, ClassLoader host) {
        var read = PluginFolder.read(folder);
        var urls = read.jars().stream().map(LoadedFolder::url).toList();
        var origin = PluginFolder.origin(read.id());
        var loader = new PluginClassLoader(read.id(), origin, urls, host);
        try {
            var plugin =
                    PluginCalls.promptly(origin, "its constructor", () -> provider(loader, read));
            return new LoadedFolder(loader, new InstalledPlugin(origin, plugin));
        } catch (RuntimeException e) {
            close(loader);
            throw e;
        }
    }

    private static OutriderPlugin provider(ClassLoader loader, PluginFolder folder) {
        return ServiceLoader.load(OutriderPlugin.class, loader)
                .findFirst()
                .orElseThrow(() ->
                        ErrorCode.PLUGIN_INVALID.error(
                                "%s has no provider %s"
                                        .formatted(
                                                PluginFolder.origin(folder.id()),
                                                folder.provider()),
                                "Correct its META-INF/services entry."));
    }

    /// The plugin.
    public InstalledPlugin installed() {
        return installed;
    }

    @Override
    public void close() {
        close(loader);
    }

    private static void close(PluginClassLoader loader) {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
