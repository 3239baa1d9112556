package dev.outrider.common;

import java.util.function.Supplier;

/// Steps that release their resources if they fail.
public final class Undo {
    private Undo() {}

    /// Returns the result of a step. If the step fails, `undo` runs before the exception is rethrown, for example to close a
    /// resource that the step would have returned.
    public static <T> T onFailure(Runnable undo, Supplier<T> step) {
        try {
            return step.get();
        } catch (Throwable e) {
            try {
                undo.run();
            } catch (RuntimeException | Error second) {
                e.addSuppressed(second);
            }
            throw e;
        }
    }
}
