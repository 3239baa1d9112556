package dev.outrider.experiment.report.read;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/// A round whose times count.
///
/// @param line       what it did; prompt and repetition, or block of a timer, say about when
/// @param generation number of the generation that it is of
/// @param index      within the generation, from 0
public record TimedRound(RoundLine line, int generation, int index) {
    private record Of(String side, String prompt, int repetition) {}

    /// The rounds of a run, in their order.
    public static List<TimedRound> ofRun(List<RoundLine> lines) {
        var numbers = new HashMap<Of, Integer>();
        var counts = new HashMap<Of, Integer>();
        var rounds = new ArrayList<TimedRound>();
        for (var line : lines) {
            var of = new Of(line.side(), line.prompt(), line.repetition());
            int generation = numbers.computeIfAbsent(of, _ -> numbers.size());
            rounds.add(new TimedRound(line, generation, counts.merge(of, 1, Integer::sum) - 1));
        }
        return rounds;
    }
}
