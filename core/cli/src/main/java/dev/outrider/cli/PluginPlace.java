package dev.outrider.cli;

import dev.outrider.engine.plugins.PluginRegistry;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The folder of third-party plugins.
///
/// @param directory with one folder per plugin
/// @param asked     whether the user named the directory; it must exist then
record PluginPlace(Path directory, boolean asked) {
    private static final String PROPERTY = "outrider.plugins";

    /// The directory that the system property `outrider.plugins` names (the launcher passes the variable
    /// `OUTRIDER_PLUGINS` on), otherwise `plugins` in the checkout.
    static PluginPlace ofProcess() {
        var given = System.getProperty(PROPERTY, "");
        return given.isEmpty()
                ? new PluginPlace(
                        Path.of(System.getProperty("outrider.root", "."), "plugins"), false)
                : new PluginPlace(Path.of(given), true);
    }

    /// Loads Outrider's own components, and the plugins of the directory.
    ///
    /// @throws OutriderException if one of them cannot be used
    PluginRegistry registry() {
        if (asked && !Files.isDirectory(directory)) {
            throw ErrorCode.PLUGIN_INVALID.error(
                    "there is no directory '%s' to take plugins from".formatted(directory),
                    "Correct OUTRIDER_PLUGINS, or unset it to use plugins/ in the checkout.");
        }
        return PluginRegistry.load(PluginPlace.class.getClassLoader(), directory);
    }
}
