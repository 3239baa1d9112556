package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import java.util.function.Supplier;

/// A plugin and where it came from. Immutable as far as the plugin is.
///
/// @param origin how errors and lists call the place: [#CLASS_PATH], or `plugin 'my-drafter'`
/// @param plugin the plugin itself; its code is not to be trusted before [PluginRegistry] has looked at it
public record InstalledPlugin(String origin, OutriderPlugin plugin) {
    /// The origin of Outrider's own components.
    public static final String CLASS_PATH = "the class path";

    /// Returns the answer of the plugin or of one of its factories. Plugins from folders must answer within some seconds.
    ///
    /// @param what the question, such as `spiVersion()`
    <T> T ask(String what, Supplier<T> question) {
        return origin.equals(CLASS_PATH)
                ? PluginCalls.call(origin, what, question)
                : PluginCalls.promptly(origin, what, question);
    }

    /// Returns the plugin's origin and class, for errors.
    String described() {
        return "%s (%s)".formatted(origin, plugin.getClass().getName());
    }
}
