package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.stats.Ranking.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Finds which of several variants is the fastest, from their times on the same prompts.
///
/// A variant's value on a prompt is the mean over repetitions of the logarithm of its tokens a second; differences of values are ratios of
/// speeds. Verdicts follow from intervals that are simultaneous for all pairs (docs/decisions/0067).
public final class Rankings {
    /// Chance that any interval of a comparison misses.
    public static final double ALPHA = .05;

    /// Variants whose speeds differ by less count as equal.
    static final double ALIKE = Math.log(1.02);

    private static final long MAX_PROMPTS = 1_000_000;

    /// Normal quantile of a chance of 80 %.
    private static final double POWER = .8416;

    private final List<String> names;
    private final PairedDifferences differences;
    private final int rows;
    private final int together;

    private Rankings(List<String> names, double[][] logs, int together, double alpha, long seed) {
        this.names = names;
        this.differences = new PairedDifferences(logs, alpha, seed);
        this.rows = logs.length;
        this.together = together;
    }

    /// Rankings of every variant of a comparison among those that share its baseline.
    ///
    /// @param alpha of all pairs that share a baseline
    public static Map<String, Ranking> of(ComparisonResult result, double alpha) {
        var baselines = new LinkedHashMap<String, String>();
        result.plan()
                .variants()
                .forEach(variant -> baselines.put(variant.name(), variant.baseline()));
        return of(
                baselines,
                PromptSpeeds.of(result),
                result.plan().batch(),
                alpha,
                result.plan().seed());
    }

    /// Rankings of some variants among those that share their baseline.
    ///
    /// @param baselines by variant, in the order of the variants
    /// @param together  number of prompts that one row of the speeds measures
    /// @param alpha     of all pairs that share a baseline
    /// @param seed      of the resampling
    public static Map<String, Ranking> of(
            Map<String, String> baselines,
            PromptSpeeds speeds,
            int together,
            double alpha,
            long seed) {
        var rankings = new LinkedHashMap<String, Ranking>();
        baselines.keySet().stream()
                .collect(
                        Collectors.groupingBy(
                                name -> baselines.getOrDefault(name, name),
                                LinkedHashMap::new,
                                Collectors.toList()))
                .values()
                .forEach(names -> {
                    double[][] rows = speeds.rows(names);
                    if (rows.length > 0) {
                        rankings.putAll(of(names, rows, together, alpha, seed));
                    }
                });
        return rankings;
    }

    /// Rankings of some variants, by their names.
    ///
    /// @param logs     logarithms of speeds by prompt, the variants in the order of their names; at least one prompt
    /// @param together number of prompts that one row measures
    /// @param alpha    of all pairs together
    /// @param seed     of the resampling
    public static Map<String, Ranking> of(
            List<String> names, double[][] logs, int together, double alpha, long seed) {
        return new Rankings(names, logs, together, alpha, seed).all();
    }

    /// Returns whether the intervals decide for every variant whether it is the fastest, or as fast.
    public static boolean decided(Map<String, Ranking> rankings) {
        return rankings.values().stream()
                .allMatch(each ->
                        switch (each.verdict()) {
                            case FASTEST, TIED, SLOWER -> true;
                            case OPEN, UNKNOWN -> false;
                        });
    }

    private Map<String, Ranking> all() {
        int leader = differences.leader();
        var verdicts = IntStream.range(0, names.size()).mapToObj(i -> other(i, leader)).toList();
        var more =
                IntStream.range(0, names.size())
                        .mapToObj(i ->
                                verdicts.get(i) == Verdict.OPEN
                                        ? Optional.of(more(i, leader))
                                        : Optional.<Long>empty())
                        .toList();
        var rankings = new LinkedHashMap<String, Ranking>();
        for (int i = 0; i < names.size(); i++) {
            rankings.put(
                    names.get(i),
                    new Ranking(
                            differences.probabilityBest(i),
                            ratio(i, leader),
                            i == leader ? ofLeader(verdicts, leader) : verdicts.get(i),
                            (i == leader ? most(more) : more.get(i))
                                    .filter(each -> each < MAX_PROMPTS),
                            against(i)));
        }
        return rankings;
    }

    private Verdict other(int variant, int leader) {
        if (few()) {
            return Verdict.UNKNOWN;
        }
        double difference = differences.difference(leader, variant);
        double margin = differences.margin(leader, variant);
        if (difference + margin < ALIKE) {
            return Verdict.TIED;
        }
        return difference - margin > 0 ? Verdict.SLOWER : Verdict.OPEN;
    }

    /// Returns whether there are too few independent prompts for any interval; prompts decoded together count as one.
    private boolean few() {
        return rows < Ranking.MIN_PROMPTS;
    }

    private static Verdict ofLeader(List<Verdict> verdicts, int leader) {
        var others = new ArrayList<>(verdicts);
        others.remove(leader);
        if (verdicts.contains(Verdict.UNKNOWN)) {
            return Verdict.UNKNOWN;
        }
        if (others.contains(Verdict.OPEN)) {
            return Verdict.OPEN;
        }
        return others.contains(Verdict.TIED) ? Verdict.TIED : Verdict.FASTEST;
    }

    private Interval ratio(int variant, int other) {
        if (variant == other) {
            return Interval.ONE;
        }
        double difference = differences.difference(variant, other);
        double margin = differences.margin(variant, other);
        return few() || Double.isInfinite(margin)
                ? Interval.unknown(Math.exp(difference))
                : Interval.of(
                        Math.exp(difference),
                        Math.exp(difference - margin),
                        Math.exp(difference + margin));
    }

    private List<Ranking.Against> against(int variant) {
        return IntStream.range(0, names.size())
                .filter(other -> other != variant)
                .mapToObj(other -> new Ranking.Against(names.get(other), ratio(variant, other)))
                .toList();
    }

    /// A difference is shown when the margin is below it; likeness is shown when the margin is below the distance that is left to
    /// the bound.
    private long more(int variant, int leader) {
        double difference = differences.difference(leader, variant);
        double distance = Math.max(difference, ALIKE - difference);
        long wanted = differences.rowsToShow(leader, variant, distance, POWER, MAX_PROMPTS);
        return Math.max(1, wanted - rows) * together;
    }

    private static Optional<Long> most(List<Optional<Long>> more) {
        return more.stream().flatMap(Optional::stream).max(Long::compare);
    }
}
