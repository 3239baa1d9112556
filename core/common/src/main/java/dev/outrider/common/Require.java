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

    /// Refuses a number below the least one.
    ///
    /// @param name as in the configuration
    /// @throws IllegalArgumentException if the number is not allowed
    public static void atLeast(String name, long value, long least) {
        that(value >= least, "%s %d must be at least %d", name, value, least);
    }

    /// Refuses a number outside 0 to 1.
    ///
    /// @param name as in the configuration
    /// @throws IllegalArgumentException if the number is not allowed
    public static void share(String name, double value) {
        that(value >= 0 && value <= 1, "%s %s must be between 0 and 1", name, value);
    }

    /// Refuses a number that is not above 0, or is infinite.
    ///
    /// @param name as in the configuration
    /// @throws IllegalArgumentException if the number is not allowed
    public static void positive(String name, double value) {
        that(value > 0 && !Double.isInfinite(value), "%s %s is not positive", name, value);
    }

    /// Refuses a number outside a range.
    ///
    /// @param name as in the configuration
    /// @throws IllegalArgumentException if the number is not allowed
    public static void between(String name, long value, long least, long most) {
        that(
                value >= least && value <= most,
                "%s %d must be between %d and %d",
                name,
                value,
                least,
                most);
    }
}
