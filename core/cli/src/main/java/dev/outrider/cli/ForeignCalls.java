package dev.outrider.cli;

import dev.outrider.engine.plugins.InstalledPlugin;
import dev.outrider.engine.plugins.PluginContext;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/// Calls of services: the failures of third-party code are said to be theirs.
final class ForeignCalls {
    private ForeignCalls() {}

    /// The result of a call, made with the provider's class loader as the thread's.
    ///
    /// @throws OutriderException `PLUGIN_FAILED` for what a plugin should not have thrown
    static <T> T call(Service service, Object provider, Supplier<T> call) {
        try {
            return PluginContext.during(provider, call);
        } catch (OutriderException | CancellationException expected) {
            throw expected;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (service.origin().equals(InstalledPlugin.CLASS_PATH)) {
                throw e;
            }
            throw new OutriderException(
                    ErrorCode.PLUGIN_FAILED,
                    "%s failed in '%s': %s".formatted(service.origin(), service.name(), e),
                    "Report it to whoever wrote the plugin; --debug shows where it happened.",
                    e);
        }
    }
}
