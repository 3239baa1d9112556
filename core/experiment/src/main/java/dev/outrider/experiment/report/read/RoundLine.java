package dev.outrider.experiment.report.read;

import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.Optional;

/// One line of `rounds.jsonl`, as far as costs and the course of rounds go.
///
/// @param side       name of the side
/// @param prompt     id of the prompt
/// @param repetition from 0
/// @param round      what it did
public record RoundLine(String side, String prompt, int repetition, Round round) {
    /// A round.
    ///
    /// @param nodes    drafted nodes, the root not
    /// @param depth    of the draft
    /// @param accepted drafted tokens
    /// @param emitted  tokens
    /// @param times    where the time went, in nanoseconds
    /// @param why      the draft was allowed its length, as its policy says; absent if it says nothing
    public record Round(
            int nodes,
            int depth,
            int accepted,
            int emitted,
            StageTimes times,
            Optional<String> why) {}
}
