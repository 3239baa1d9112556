package dev.outrider.engine.plugins;

import java.util.List;
import java.util.function.Supplier;

/// The context class loader of a plugin's calls: its own. Libraries of the plugin that look for services find those of the plugin, and a
/// thread that is started during a call inherits the loader, which identifies the plugin.
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
}
