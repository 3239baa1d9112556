package dev.outrider.common;

import java.util.function.Supplier;

/// Steps of which nothing stays behind where they fail.
public final class Undo {
    private Undo() {}

    /// Returns what a step returns. Where it fails, `undo` runs before the failure goes on, such as to close what the step would have
    /// handed on.
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
