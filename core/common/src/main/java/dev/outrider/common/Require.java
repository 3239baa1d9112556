package dev.outrider.common;

/// Checks of arguments and settings.
public final class Require {
    private Require() {}

    /// Refuses a value that does not fulfil a condition.
    ///
    /// @param condition whether the value is allowed
    /// @param message   format of the message: the name, the value, what was expected
    /// @param values    values of the message
    /// @throws IllegalArgumentException unless the condition holds
    public static void that(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}
