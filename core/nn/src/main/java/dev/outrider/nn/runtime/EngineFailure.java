package dev.outrider.nn.runtime;

import ai.djl.engine.EngineException;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.List;

/// What an operation's failure means. The engine tells by words alone that it was given no memory.
final class EngineFailure {
    /// The allocator's, the C++ library's and oneDNN's.
    private static final List<String> NO_MEMORY =
            List.of(
                    "DefaultCPUAllocator",
                    "not enough memory",
                    "bad_alloc",
                    "could not create a primitive",
                    "could not create a memory");

    private EngineFailure() {}

    /// The failure to throw: with a code where the user can do something.
    static RuntimeException of(EngineException failure) {
        var message = String.valueOf(failure.getMessage());
        return NO_MEMORY.stream().anyMatch(message::contains)
                ? new OutriderException(
                        ErrorCode.OUT_OF_MEMORY,
                        "the system gave the tensor engine no memory: %s"
                                .formatted(lastLine(message)),
                        "Free memory or lift the limit (ulimit -v), decode less at once, or use precision bf16.",
                        failure)
                : failure;
    }

    private static String lastLine(String message) {
        var lines = message.strip().lines().toList();
        return lines.isEmpty() ? "" : lines.getLast();
    }
}
