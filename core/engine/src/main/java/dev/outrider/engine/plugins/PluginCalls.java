package dev.outrider.engine.plugins;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.time.Duration;
import java.util.ServiceConfigurationError;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Calls into plugins: every failure of a plugin becomes an error that names it.
final class PluginCalls {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

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
                    ? ErrorCode.PLUGIN_INVALID.error(
                            "%s cannot be loaded: %s".formatted(origin, e.getMessage()),
                            "Remove its jar, or correct its META-INF/services entry: a public class with a public"
                                    + " constructor without parameters that implements the interface the entry is named after.",
                            e)
                    : failed(origin, "its constructor", e.getCause());
        } catch (LinkageError e) {
            throw unlinked(origin, e);
        } catch (OutOfMemoryError e) {
            throw e; // a model may be too large for the heap
        } catch (Exception | Error e) {
            throw failed(origin, what, e);
        }
    }

    /// Returns the result of a call that takes a moment in a correct plugin. A plugin that does not answer must not stop a command
    /// that does not need it: a call that does not end is left in a daemon thread.
    ///
    /// @throws OutriderException as [#call]; `PLUGIN_FAILED` if it does not end
    static <T> T promptly(String origin, String what, Supplier<T> call) {
        return promptly(origin, what, call, PATIENCE);
    }

    static <T> T promptly(String origin, String what, Supplier<T> call, Duration patience) {
        var task = new FutureTask<T>(call::get);
        var thread = new Thread(task, "looking at " + origin);
        thread.setDaemon(true);
        thread.start();
        return call(origin, what, () -> answer(origin, what, task, patience));
    }

    private static <T> T answer(String origin, String what, FutureTask<T> task, Duration patience) {
        try {
            return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ErrorCode.PLUGIN_FAILED.error(
                    "%s did not answer within %s s in %s: it or a static initialiser hangs"
                            .formatted(origin, patience.toMillis() / 1e3, what),
                    "Remove the plugin, and report it to its author.",
                    e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException failure
                    ? failure
                    : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while looking at " + origin);
        }
    }

    private static OutriderException failed(String origin, String what, Throwable cause) {
        return ErrorCode.PLUGIN_FAILED.error(
                "%s failed in %s: %s".formatted(origin, what, cause),
                "Report it to its author; --debug shows where it happened.",
                cause);
    }

    private static OutriderException unlinked(String origin, LinkageError cause) {
        if (cause instanceof ExceptionInInitializerError initializer
                && initializer.getCause() != null) {
            return failed(origin, "a static initialiser", initializer.getCause());
        }
        if (cause instanceof NoClassDefFoundError) {
            return ErrorCode.PLUGIN_INVALID.error(
                    "%s needs the class %s, which it cannot see"
                            .formatted(
                                    origin, String.valueOf(cause.getMessage()).replace('/', '.')),
                    "Put the jar that has it into the plugin's folder. Of Outrider, plugins see only"
                            + " dev.outrider.spi, nn, drafting and training.",
                    cause);
        }
        return ErrorCode.PLUGIN_INCOMPATIBLE.error(
                "%s was compiled against other classes than there are here: %s"
                        .formatted(origin, cause),
                "Install a build of the plugin for this version of Outrider and for Java %d or older."
                        .formatted(Runtime.version().feature()),
                cause);
    }
}
