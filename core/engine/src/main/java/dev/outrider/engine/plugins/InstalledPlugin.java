package dev.outrider.engine.plugins;

import dev.outrider.spi.OutriderPlugin;
import java.util.function.Supplier;

/// A plugin and where it came from. Immutable as far as the plugin is.
///
/// @param origin how errors and lists call the place: [#CLASS_PATH], or `plugin 'my-drafter'`
/// @param plugin the plugin itself; its code is not to be trusted before [PluginRegistry] has looked at it
public record InstalledPlugin(String origin, OutriderPlugin plugin) {
    /// The origin of what Outrider brings itself.
    public static final String CLASS_PATH = "the class path";

    /// What the plugin, or one of its factories, says of itself. Outrider's own answer; others are given a while.
    ///
    /// @param what what is asked, such as `spiVersion()`
    <T> T ask(String what, Supplier<T> question) {
        return origin.equals(CLASS_PATH)
                ? PluginCalls.call(origin, what, question)
                : PluginCalls.promptly(origin, what, question);
    }

    /// What is wrong with the plugin belongs to this: its origin and its class.
    String described() {
        return "%s (%s)".formatted(origin, plugin.getClass().getName());
    }
}
