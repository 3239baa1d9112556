package dev.outrider.experiment.report.read;

import dev.outrider.spi.run.StageTimes;

/// One line of `rounds.jsonl`, as far as its costs go.
///
/// @param side       name of the side
/// @param prompt     id of the prompt
/// @param repetition from 0
/// @param round      what it did
public record RoundLine(String side, String prompt, int repetition, Round round) {
    /// A round.
    ///
    /// @param nodes   drafted nodes, the root not
    /// @param depth   of the draft
    /// @param emitted tokens
    /// @param times   where the time went, in nanoseconds
    public record Round(int nodes, int depth, int emitted, StageTimes times) {}
}
