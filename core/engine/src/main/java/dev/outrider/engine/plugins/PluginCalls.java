package dev.outrider.engine.plugins;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/// Calls into plugins: whatever goes wrong in them becomes an error that names them.
final class PluginCalls {
    private PluginCalls() {}

    /// The result of a call.
    ///
    /// @param origin how errors call the plugin
    /// @param what   what was called, such as `spiVersion()`
    /// @throws OutriderException `PLUGIN_INCOMPATIBLE` for code of another version, `PLUGIN_INVALID` for code that is not
    ///                           there, `PLUGIN_FAILED` for every other failure
    static <T> T call(String origin, String what, Supplier<T> call) {
        try {
            return call.get();
        } catch (OutriderException | CancellationException expected) {
            throw expected;
        } catch (ServiceConfigurationError e) {
            if (e.getCause() instanceof LinkageError cause) {
                throw unlinked(origin, cause);
            }
            throw e.getCause() == null
                    ? new OutriderException(
                            ErrorCode.PLUGIN_INVALID,
                            "%s cannot be loaded: %s".formatted(origin, e.getMessage()),
                            "Remove its jar, or correct its META-INF/services entry: a public class with a public"
                                    + " constructor without parameters that implements the interface the entry is named after.",
                            e)
                    : failed(origin, "its constructor", e.getCause());
        } catch (LinkageError e) {
            throw unlinked(origin, e);
        } catch (Exception | AssertionError | StackOverflowError e) {
            throw failed(origin, what, e);
        }
    }

    private static OutriderException failed(String origin, String what, Throwable cause) {
        return new OutriderException(
                ErrorCode.PLUGIN_FAILED,
                "%s failed in %s: %s".formatted(origin, what, cause),
                "Report it to whoever wrote it; --debug shows where it happened.",
                cause);
    }

    private static OutriderException unlinked(String origin, LinkageError cause) {
        if (cause instanceof ExceptionInInitializerError initializer
                && initializer.getCause() != null) {
            return failed(origin, "a static initialiser", initializer.getCause());
        }
        if (cause instanceof NoClassDefFoundError) {
            return new OutriderException(
                    ErrorCode.PLUGIN_INVALID,
                    "%s needs the class %s, which it cannot see"
                            .formatted(
                                    origin, String.valueOf(cause.getMessage()).replace('/', '.')),
                    "Put the jar that has it into the plugin's folder. Of Outrider, plugins see only"
                            + " dev.outrider.spi, nn, drafting and training.",
                    cause);
        }
        return new OutriderException(
                ErrorCode.PLUGIN_INCOMPATIBLE,
                "%s was compiled against other classes than there are here: %s"
                        .formatted(origin, cause),
                "Install a build of the plugin for this version of Outrider and for Java %d or older."
                        .formatted(Runtime.version().feature()),
                cause);
    }
}
