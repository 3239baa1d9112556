package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.RoundRecord;
import dev.outrider.spi.StageTimes;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Mean times of a round, in nanoseconds, and how the target's pass grows with the tree.
///
/// @param draft       proposing
/// @param score       the target's pass
/// @param decide      the acceptance rule
/// @param commit      keeping cache rows
/// @param observe     telling the drafter
/// @param rest        everything else
/// @param draftStep   one draft step: all proposing over all depths drafted; 0 if nothing was drafted
/// @param engineShare decide and rest over the whole round
/// @param passByRows  mean time of a target pass by its number of rows, the root included
public record StageMeans(
        double draft,
        double score,
        double decide,
        double commit,
        double observe,
        double rest,
        double draftStep,
        double engineShare,
        SortedMap<Integer, Double> passByRows) {
    public StageMeans {
        passByRows = Collections.unmodifiableSortedMap(new TreeMap<>(passByRows));
    }

    /// Average over rounds.
    public static StageMeans of(List<RoundRecord> rounds) {
        double depths = rounds.stream().mapToInt(RoundRecord::depth).sum();
        double total = sum(rounds, StageTimes::total);
        return new StageMeans(
                mean(rounds, StageTimes::draft),
                mean(rounds, StageTimes::score),
                mean(rounds, StageTimes::decide),
                mean(rounds, StageTimes::commit),
                mean(rounds, StageTimes::observe),
                mean(rounds, StageTimes::rest),
                depths == 0 ? 0 : sum(rounds, StageTimes::draft) / depths,
                total == 0 ? 0 : sum(rounds, StageTimes::engine) / total,
                rounds.stream()
                        .collect(
                                Collectors.groupingBy(
                                        round -> round.nodes() + 1,
                                        TreeMap::new,
                                        Collectors.averagingLong(round -> round.times().score()))));
    }

    /// Everything in a round but drafting and the target's pass.
    public double others() {
        return decide + commit + observe + rest;
    }

    private static double sum(List<RoundRecord> rounds, ToLongFunction<StageTimes> stage) {
        return rounds.stream().mapToLong(round -> stage.applyAsLong(round.times())).sum();
    }

    private static double mean(List<RoundRecord> rounds, ToLongFunction<StageTimes> stage) {
        return rounds.isEmpty() ? 0 : sum(rounds, stage) / rounds.size();
    }
}
