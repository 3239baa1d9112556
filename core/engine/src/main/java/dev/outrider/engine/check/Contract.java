package dev.outrider.engine.check;

import dev.outrider.spi.error.ErrorCode;

/// Reports a broken contract.
final class Contract {
    private Contract() {}

    /// Returns the name of a plugin in errors if it has no name of its own: its class.
    static String nameOf(Object plugin) {
        String name = plugin.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    /// @param label    the guilty part: `drafter`, perhaps with its name and the round
    /// @param format what it did and what was expected
    static void require(boolean kept, String label, String format, Object... arguments) {
        if (!kept) {
            throw ErrorCode.CONTRACT_BROKEN.error(
                    label + " " + format.formatted(arguments),
                    "This is a bug in the %s: report it to its author."
                            .formatted(label.replaceAll(" ('|in round).*", "")));
        }
    }
}
