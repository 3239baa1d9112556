package dev.outrider.engine.check;

import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;

/// Reports a broken contract.
final class Contract {
    private Contract() {}

    /// How errors call a plugin that has no name of its own: its class.
    static String nameOf(Object plugin) {
        Object named = plugin instanceof Drafter drafter ? original(drafter) : plugin;
        String name = named.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    /// A drafter without the checks around it.
    static Drafter original(Drafter drafter) {
        return drafter instanceof CheckedDrafter(var checked, _) ? original(checked) : drafter;
    }

    /// @param label    the guilty part: `drafter`, perhaps with its name and the round
    /// @param format what it did and what was expected
    static void require(boolean kept, String label, String format, Object... arguments) {
        if (!kept) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    label + " " + format.formatted(arguments),
                    "This is a bug in the %s: report it to whoever wrote it."
                            .formatted(label.replaceAll(" ('|in round).*", "")));
        }
    }
}
