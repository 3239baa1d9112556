package dev.outrider.nn.network;

import dev.outrider.common.Require;
import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// The outputs that a pass should report.
///
/// @param logits       the rows that get logits
/// @param lastRows     with [LogitRows#LAST], the number of rows of each block, from its end; all rows of a shorter block
/// @param hiddenStates which hidden states are reported for every row
public record PassOutputs(LogitRows logits, int lastRows, Set<HiddenState> hiddenStates) {
    /// The rows of each block that get logits.
    public enum LogitRows {
        NONE,
        LAST,
        ALL
    }

    public PassOutputs {
        hiddenStates = Set.copyOf(hiddenStates);
        Require.that(lastRows >= 1, "lastRows is %d", lastRows);
    }

    /// Requests the logits of these rows; with [LogitRows#LAST], of one row of each block.
    public PassOutputs(LogitRows logits, Set<HiddenState> hiddenStates) {
        this(logits, 1, hiddenStates);
    }

    /// Requests the logits of every row and nothing else.
    public static PassOutputs allLogits() {
        return new PassOutputs(LogitRows.ALL, Set.of());
    }

    /// Requests the logits of the last rows and nothing else.
    public static PassOutputs lastLogits(int rows) {
        return new PassOutputs(LogitRows.LAST, rows, Set.of());
    }
}
