package dev.outrider.nn.network;

import dev.outrider.spi.target.HiddenState;
import java.util.Set;

/// What a pass should report.
///
/// @param logits       which rows get logits
/// @param hiddenStates which hidden states are reported for every row
public record PassOutputs(LogitRows logits, Set<HiddenState> hiddenStates) {
    /// Which rows of each block get logits.
    public enum LogitRows {
        NONE,
        LAST,
        ALL
    }

    public PassOutputs {
        hiddenStates = Set.copyOf(hiddenStates);
    }

    /// Logits of every row and nothing else.
    public static PassOutputs allLogits() {
        return new PassOutputs(LogitRows.ALL, Set.of());
    }
}
