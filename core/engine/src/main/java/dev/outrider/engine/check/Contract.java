package dev.outrider.engine.check;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;

/// Reports a broken contract.
final class Contract {
    private Contract() {}

    /// How errors call a plugin that has no name of its own: its class.
    static String nameOf(Object plugin) {
        if (plugin instanceof CheckedDrafter(var drafter, _)) {
            return nameOf(drafter);
        }
        String name = plugin.getClass().getName();
        return name.substring(name.lastIndexOf('.') + 1).replace('$', '.');
    }

    /// @param who    the guilty part: `drafter`, perhaps with its name and the round
    /// @param format what it did and what was expected
    static void require(boolean kept, String who, String format, Object... arguments) {
        if (!kept) {
            throw new OutriderException(
                    ErrorCode.CONTRACT_BROKEN,
                    who + " " + format.formatted(arguments),
                    "This is a bug in the %s: report it to whoever wrote it."
                            .formatted(who.replaceAll(" ('|in round).*", "")));
        }
    }
}
