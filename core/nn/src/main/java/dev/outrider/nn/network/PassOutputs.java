package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// The outputs that a pass should report.
///
/// @param logits       which rows get logits
/// @param lastRows     with [LogitRows#LAST] how many rows of each block, from its end; of a shorter block all
/// @param hiddenStates which hidden states are reported for every row
public record PassOutputs(LogitRows logits, int lastRows, Set<HiddenState> hiddenStates) {
    /// Which rows of each block get logits.
    public enum LogitRows {
        NONE,
        LAST,
        ALL
    }

    public PassOutputs {
        hiddenStates = Set.copyOf(hiddenStates);
        Require.that(lastRows >= 1, "lastRows is %d", lastRows);
    }

    /// Logits as said, with [LogitRows#LAST] of one row.
    public PassOutputs(LogitRows logits, Set<HiddenState> hiddenStates) {
        this(logits, 1, hiddenStates);
    }

    /// Logits of every row and nothing else.
    public static PassOutputs allLogits() {
        return new PassOutputs(LogitRows.ALL, Set.of());
    }

    /// Logits of the last rows and nothing else.
    public static PassOutputs lastLogits(int rows) {
        return new PassOutputs(LogitRows.LAST, rows, Set.of());
    }
}
