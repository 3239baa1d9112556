package dev.outrider.experiment.results;

import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// One line of `rounds.jsonl`: the fields for costs and the course of rounds.
///
/// @param variant       name of the variant
/// @param prompt     id of the prompt
/// @param repetition from 0
/// @param round      its numbers
public record RoundLine(String variant, String prompt, int repetition, Round round) {
    /// A round.
    ///
    /// @param nodes    drafted nodes, without the root
    /// @param depth    of the draft
    /// @param accepted drafted tokens
    /// @param emitted  tokens
    /// @param times    nanoseconds by stage
    /// @param why      the policy's reason for the draft's length; absent if it gives none
    public record Round(
            int nodes,
            int depth,
            int accepted,
            int emitted,
            StageTimes times,
            Optional<String> why) {}

    /// A timed round.
    ///
    /// @param line       its numbers; prompt and repetition, or the block of a timer, say about when it ran
    /// @param generation number of the generation that it is of
    /// @param index      within the generation, from 0
    public record TimedRound(RoundLine line, int generation, int index) {
        private record Of(String variant, String prompt, int repetition) {}

        /// The rounds of a run, in their order.
        public static List<TimedRound> ofRun(List<RoundLine> lines) {
            var numbers = new HashMap<Of, Integer>();
            var counts = new HashMap<Of, Integer>();
            var rounds = new ArrayList<TimedRound>();
            for (var line : lines) {
                var of = new Of(line.variant(), line.prompt(), line.repetition());
                int generation = numbers.computeIfAbsent(of, _ -> numbers.size());
                rounds.add(new TimedRound(line, generation, counts.merge(of, 1, Integer::sum) - 1));
            }
            return rounds;
        }
    }
}
