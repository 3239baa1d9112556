package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.run.RoundRecord;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Mean times of a round in nanoseconds, and how the target's pass grows with the tree.
///
/// @param draft      proposing
/// @param score      the target's pass
/// @param decide     the acceptance rule
/// @param commit     keeping cache rows
/// @param observe    telling the drafter
/// @param rest       everything else
/// @param passByRows the target's pass by its number of rows, the root included
public record RoundMeans(
        double draft,
        double score,
        double decide,
        double commit,
        double observe,
        double rest,
        SortedMap<Integer, Double> passByRows) {
    public RoundMeans {
        passByRows = Collections.unmodifiableSortedMap(new TreeMap<>(passByRows));
    }

    static RoundMeans of(DecodeMetrics metrics, List<RoundRecord> rounds) {
        double count = Math.max(1, metrics.rounds());
        var times = metrics.times();
        return new RoundMeans(
                times.draft() / count,
                times.score() / count,
                times.decide() / count,
                times.commit() / count,
                times.observe() / count,
                times.rest() / count,
                rounds.stream()
                        .collect(
                                Collectors.groupingBy(
                                        round -> round.nodes() + 1,
                                        TreeMap::new,
                                        Collectors.averagingLong(round -> round.times().score()))));
    }
}
