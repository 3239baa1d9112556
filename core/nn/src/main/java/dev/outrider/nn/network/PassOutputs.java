package dev.outrider.nn.network;

import dev.outrider.spi.HiddenState;
import dev.outrider.spi.VerdictQuestion;
import java.util.Optional;
import java.util.Set;

/// What a pass should report.
///
/// @param logits       which rows get logits
/// @param hiddenStates which hidden states are reported for every row
/// @param question     how the tree of the only block will be decided; networks that cannot decide take no notice
public record PassOutputs(
        LogitRows logits, Set<HiddenState> hiddenStates, Optional<VerdictQuestion> question) {
    /// Which rows of each block get logits.
    public enum LogitRows {
        NONE,
        LAST,
        ALL
    }

    public PassOutputs {
        hiddenStates = Set.copyOf(hiddenStates);
    }

    /// A pass that decides nothing.
    public PassOutputs(LogitRows logits, Set<HiddenState> hiddenStates) {
        this(logits, hiddenStates, Optional.empty());
    }

    /// Logits of every row and nothing else.
    public static PassOutputs allLogits() {
        return new PassOutputs(LogitRows.ALL, Set.of());
    }
}
