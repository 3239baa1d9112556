package dev.outrider.engine.plugins;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The directory `plugins`, with one folder for each third-party plugin.
public final class PluginsDirectory {
    private PluginsDirectory() {}

    /// Loads the plugin of every folder in order of their names. Their class loaders live as long as the process. Files that
    /// are no jars, and whatever begins with a dot, do not count.
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
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
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
            throw new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "the plugins in '%s' cannot be listed: %s".formatted(directory, e.getMessage()),
                    "Check the directory's permissions.",
                    e);
        }
    }
}
