package dev.outrider.treeverify.device;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.concurrent.Callable;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.exceptions.TornadoOutOfMemoryException;

/// Turns what TornadoVM throws into errors a user can act on.
public final class DeviceFailures {
    private DeviceFailures() {}

    /// Builds or runs something of TornadoVM's, which throws whatever it likes: exceptions of its own from several
    /// modules, and Errors where a native library or a module is not what it expects.
    ///
    /// @param what what is being run, such as `the verification pass`
    /// @throws OutriderException `KERNEL_FAILED` or `OUT_OF_MEMORY`
    public static <T> T guard(String what, Callable<T> action) {
        try {
            return action.call();
        } catch (VirtualMachineError failure) {
            throw failure;
        } catch (Throwable failure) {
            throw of(what, failure);
        }
    }

    /// What a failed execution means.
    ///
    /// @param what    what was being run, such as `the verification pass`
    /// @param failure anything TornadoVM threw; an [OutriderException] in its causes is returned as it is
    public static OutriderException of(String what, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutriderException known) {
                return known;
            }
            if (cause instanceof TornadoOutOfMemoryException
                    || cause instanceof TornadoMemoryException) {
                return new OutriderException(
                        ErrorCode.OUT_OF_MEMORY,
                        "%s does not fit the device's memory: %s"
                                .formatted(what, cause.getMessage()),
                        "Choose fewer 'cacheRows' or 'rows', a smaller model or another device.",
                        failure);
            }
        }
        return new OutriderException(
                ErrorCode.KERNEL_FAILED,
                "%s does not run on the device: %s".formatted(what, rootMessage(failure)),
                "Run 'outrider doctor': it tests every kernel on its own. Please report what it says.",
                failure);
    }

    /// The last of a chain of causes.
    static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    /// The message of the last cause, on one line and without terminal colours.
    static String rootMessage(Throwable failure) {
        var root = root(failure);
        var message = root.getMessage();
        return message == null
                ? root.getClass().getSimpleName()
                : message.replaceAll("\u001B\\[[0-9;]*m", "")
                        .strip()
                        .replaceAll("\\s*\\R\\s*", " ");
    }
}
