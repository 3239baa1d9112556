package dev.outrider.experiment.costs;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.model.FittedCurve;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.results.RoundLine.TimedRound;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.FirstRounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// The times of rounds by block. A block contains rounds that were timed at about the same time: a turn of a comparison or of a
/// recording's timer. All times are divided by the mean time of the passes of one row in the same block, so that a slow minute of
/// the machine cancels. The median over generations is used; its uncertainty comes from resampled blocks.
///
/// The first rounds of a generation find less in the processor's caches. Their extra time over later rounds is a cost of its
/// own, once for each generation. Immutable.
///
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8"
record TimedBlocks(Map<Timed, Series> series, int[] blocks) {
    /// With fewer values, the interval between the least and the greatest contains the median with less than 95 %.
    static final int FEWEST = 6;

    private static final int WANTED = 2 * FEWEST;

    /// The kinds of timed quantities.
    private enum What {
        /// A pass of so many rows.
        PASS,
        /// Drafts of a depth.
        DRAFT,
        /// The engine's part of a round with a draft of such a depth, less one.
        ENGINE,
        /// The extra time of the first rounds of a generation whose passes have so many rows.
        FIRST
    }

    /// A timed quantity.
    ///
    /// @param variant its name; empty for passes, which are those of any variant
    /// @param number  rows or depth, of the engine depth + 1
    private record Timed(What what, String variant, int number) {
        private static final Timed ONE_ROW = new Timed(What.PASS, "", 1);
    }

    private record Mean(double nanos, int rounds) {
        private static final Mean NONE = new Mean(0, 0);

        Mean with(double other) {
            return new Mean(nanos + (other - nanos) / (rounds + 1), rounds + 1);
        }
    }

    /// The measurements of one timed quantity.
    ///
    /// @param byBlock nanoseconds scaled to the speed of the machine in the middle block, one value for each generation
    /// @param rounds  number of rounds of the series
    private record Series(double[][] byBlock, int rounds) {
        /// Returns the values of some blocks, each as often as the block is given.
        double[] of(int... blocks) {
            int size = 0;
            for (int block : blocks) {
                size += byBlock[block].length;
            }
            double[] values = new double[size];
            int next = 0;
            for (int block : blocks) {
                System.arraycopy(byBlock[block], 0, values, next, byBlock[block].length);
                next += byBlock[block].length;
            }
            return values;
        }
    }

    /// One text in one repetition, or one block of a timer.
    private record Turn(String prompt, int repetition) {}

    private record Part(Turn turn, int part) {}

    /// @param rounds of all variants
    /// @param plain  names of the variants that decode plainly
    /// @return empty if no pass of one row was timed
    static Optional<TimedBlocks> of(List<TimedRound> rounds, Set<String> plain) {
        var generations =
                rounds.stream()
                        .filter(each -> each.line().round().times().score() > 0)
                        .sorted(Comparator.comparingInt(TimedRound::index))
                        .collect(
                                Collectors.groupingBy(
                                        TimedRound::generation, TreeMap::new, Collectors.toList()));
        long turns =
                generations.values().stream()
                        .map(each -> turn(each.getFirst().line()))
                        .distinct()
                        .count();
        // Few turns are cut into parts, because a median of few values is too noisy.
        int parts = Math.ceilDiv(WANTED, (int) Math.clamp(turns, 1, WANTED));
        var blocks = new LinkedHashMap<Part, Map<Timed, List<Mean>>>();
        for (var own : generations.values()) {
            var line = own.getFirst().line();
            boolean plainly = plain.contains(line.variant());
            int early = FirstRounds.of(own.size());
            for (int part = 0; part < parts; part++) {
                int steady = own.size() - early;
                var times = new HashMap<Timed, Mean>();
                own.subList(early + steady * part / parts, early + steady * (part + 1) / parts)
                        .forEach(
                                round -> add(times, line.variant(), plainly, round.line().round()));
                if (part == 0) {
                    firstRounds(own, early, plainly)
                            .ifPresent(excess ->
                                    mean(
                                            times,
                                            new Timed(What.FIRST, line.variant(), rows(own)),
                                            excess));
                }
                var block =
                        blocks.computeIfAbsent(new Part(turn(line), part), _ -> new HashMap<>());
                times.forEach((timed, mean) ->
                        block.computeIfAbsent(timed, _ -> new ArrayList<>()).add(mean));
            }
        }
        return of(
                blocks.values().stream().filter(each -> each.containsKey(Timed.ONE_ROW)).toList());
    }

    private static Optional<TimedBlocks> of(List<Map<Timed, List<Mean>>> blocks) {
        if (blocks.isEmpty()) {
            return Optional.empty();
        }
        double[] units =
                blocks.stream()
                        .map(block -> block.getOrDefault(Timed.ONE_ROW, List.of()))
                        .map(means -> means.stream().mapToDouble(Mean::nanos).toArray())
                        .mapToDouble(Bootstrap::median)
                        .toArray();
        double unit = Bootstrap.median(units);
        var series = new LinkedHashMap<Timed, Series>();
        blocks.stream()
                .flatMap(block -> block.keySet().stream())
                .distinct()
                .forEach(timed -> {
                    double[][] values = new double[units.length][];
                    int rounds = 0;
                    for (int block = 0; block < units.length; block++) {
                        var means = blocks.get(block).getOrDefault(timed, List.of());
                        double factor = unit / units[block];
                        values[block] =
                                means.stream().mapToDouble(mean -> mean.nanos() * factor).toArray();
                        rounds += means.stream().mapToInt(Mean::rounds).sum();
                    }
                    series.put(timed, new Series(values, rounds));
                });
        return Optional.of(new TimedBlocks(series, IntStream.range(0, units.length).toArray()));
    }

    private static Turn turn(RoundLine line) {
        return new Turn(line.prompt(), line.repetition());
    }

    private static int rows(List<TimedRound> generation) {
        return 1
                + generation.stream().mapToInt(each -> each.line().round().nodes()).max().orElse(0);
    }

    private static Optional<Double> firstRounds(List<TimedRound> own, int early, boolean plainly) {
        if (early == 0 || plainly && rows(own) > 1) {
            return Optional.empty();
        }
        double steady = FirstRounds.mean(own.subList(early, own.size()), TimedBlocks::total);
        return Optional.of(
                early * (FirstRounds.mean(own.subList(0, early), TimedBlocks::total) - steady));
    }

    private static double total(TimedRound round) {
        return round.line().round().times().total();
    }

    private static void add(
            Map<Timed, Mean> block, String variant, boolean plain, RoundLine.Round round) {
        var times = round.times();
        boolean padded = plain && round.nodes() > 0;
        // The time of one row is taken from plain decoding alone.
        if (plain || round.nodes() > 0) {
            mean(block, new Timed(What.PASS, "", round.nodes() + 1), times.score());
        }
        if (!padded) {
            mean(
                    block,
                    new Timed(What.ENGINE, variant, round.depth() + 1),
                    times.total() - times.draft() - times.score());
        }
        if (!padded && round.depth() > 0) {
            mean(block, new Timed(What.DRAFT, variant, round.depth()), times.draft());
        }
    }

    private static void mean(Map<Timed, Mean> block, Timed timed, double nanos) {
        block.put(timed, block.getOrDefault(timed, Mean.NONE).with(nanos));
    }

    int size() {
        return blocks.length;
    }

    /// Returns the same blocks, each as often as it was drawn.
    ///
    /// @param drawn numbers of blocks
    TimedBlocks drawn(int... drawn) {
        return new TimedBlocks(series, drawn);
    }

    /// Nanoseconds of passes by rows: one value for each generation that has any.
    SortedMap<Integer, double[]> passes() {
        return by(What.PASS, List.of(""));
    }

    /// Nanoseconds of passes of so many rows; empty if there are none.
    double[] passes(int rows) {
        var timed = series.get(new Timed(What.PASS, "", rows));
        return timed == null ? new double[0] : timed.of(blocks);
    }

    /// Returns the line through drafts of some variants by depth; empty if no depth was timed often enough.
    ///
    /// @param origin where the numbers are from, for people
    Optional<LinearCost> draft(List<String> variants, String origin) {
        return line(What.DRAFT, variants, origin);
    }

    /// Returns the engine's part of a round of a variant by the depth of its draft; empty if it was not timed often enough.
    Optional<LinearCost> engine(String variant) {
        // A line through depths from 0 on is one through numbers from 1 on, moved.
        return line(What.ENGINE, List.of(variant), "")
                .map(line -> new LinearCost(line.round() + line.level(), line.level(), ""));
    }

    private Optional<LinearCost> line(What what, List<String> variants, String origin) {
        var nanos = medians(by(what, variants));
        var rounds = new HashMap<Integer, Integer>();
        series.forEach((timed, each) -> {
            if (timed.what() == what && variants.contains(timed.variant())) {
                rounds.merge(timed.number(), each.rounds(), Integer::sum);
            }
        });
        return nanos.isEmpty()
                ? Optional.empty()
                : Optional.of(LinearCost.through(nanos, rounds, origin));
    }

    /// Returns the extra nanoseconds of the first rounds of a generation of a variant, by the rows of its passes.
    SortedMap<Integer, Double> firstRounds(String variant) {
        return medians(by(What.FIRST, List.of(variant)));
    }

    private static SortedMap<Integer, Double> medians(SortedMap<Integer, double[]> values) {
        var medians = new TreeMap<Integer, Double>();
        values.forEach((key, each) -> {
            if (each.length >= FEWEST) {
                medians.put(key, Bootstrap.median(each));
            }
        });
        return medians;
    }

    private SortedMap<Integer, double[]> by(What what, List<String> variants) {
        var all = new TreeMap<Integer, double[]>();
        series.forEach((timed, each) -> {
            double[] values =
                    timed.what() == what && variants.contains(timed.variant())
                            ? each.of(blocks)
                            : new double[0];
            if (values.length > 0) {
                all.merge(timed.number(), values, TimedBlocks::both);
            }
        });
        return all;
    }

    private static double[] both(double[] one, double... other) {
        return DoubleStream.concat(DoubleStream.of(one), DoubleStream.of(other)).toArray();
    }

    /// t(n) from passes, or from the means of blocks of them. The value of each number of rows is a median, which a short
    /// disturbance of the machine does not move. Numbers of rows with so few passes that a median has no 95 % interval, or with a
    /// wide interval, are left out. The curve through the others is the nearest that does not fall ([FittedCurve]). The most
    /// frequent number of rows above one is always kept, and so is the greatest, because the curve is only extrapolated beyond it.
    ///
    /// @see "Conover 1999, Practical Nonparametric Statistics, section 3.2: an interval of a median from ranks"
    static final class TimedPasses {
        private static final int FEWEST = TimedBlocks.FEWEST;

        /// If the logarithm of a median has a greater standard error, a line between its neighbours is more precise.
        private static final double MAX_ERROR = 0.2;

        private static final double MIN_ERROR = 1e-3;

        private static final double NORMAL_97_5 = 1.96;

        private TimedPasses() {}

        /// @param nanos of every pass by its rows; one row among them
        static CostCurve curve(SortedMap<Integer, double[]> nanos) {
            var medians = new TreeMap<Integer, Double>();
            var errors = new TreeMap<Integer, Double>();
            int most =
                    nanos.tailMap(2).values().stream()
                            .mapToInt(each -> each.length)
                            .max()
                            .orElse(0);
            int last =
                    nanos.entrySet().stream()
                            .filter(each -> each.getValue().length >= FEWEST)
                            .mapToInt(Map.Entry::getKey)
                            .max()
                            .orElse(1);
            nanos.forEach((rows, passes) -> {
                double error = error(passes);
                boolean needed = passes.length == most || rows == last;
                if (rows == 1 || passes.length >= FEWEST && (needed || error <= MAX_ERROR)) {
                    medians.put(rows, Bootstrap.median(passes));
                    errors.put(rows, error);
                }
            });
            return new CostCurve(rising(medians, errors), errors);
        }

        /// Returns the curve from other blocks of the same passes.
        ///
        /// @param known the curve of all blocks, which gives the numbers of rows and the errors
        static CostCurve again(CostCurve known, IntFunction<double[]> nanos) {
            var medians = new TreeMap<Integer, Double>();
            known.points()
                    .forEach((rows, usual) -> {
                        double[] passes = nanos.apply(rows);
                        medians.put(rows, passes.length == 0 ? usual : Bootstrap.median(passes));
                    });
            return new CostCurve(rising(medians, known.errors()), known.errors());
        }

        /// Returns the curve made rising: isotonic regression of the logarithms, weighted by their errors.
        static SortedMap<Integer, Double> rising(
                SortedMap<Integer, Double> points, Map<Integer, Double> errors) {
            double[] weights =
                    points.keySet().stream()
                            .mapToDouble(
                                    rows -> Math.max(MIN_ERROR, errors.getOrDefault(rows, 0.0)))
                            .map(error -> 1 / (error * error))
                            .toArray();
            double[] logs = points.values().stream().mapToDouble(Math::log).toArray();
            double[] fitted = FittedCurve.rising(logs, weights);
            var rising = new TreeMap<Integer, Double>();
            int index = 0;
            for (int rows : points.keySet()) {
                rising.put(rows, Math.exp(fitted[index++]));
            }
            return rising;
        }

        /// The width of the median's 95 % interval as the standard error of its logarithm.
        private static double error(double... passes) {
            double[] sorted = passes.clone();
            Arrays.sort(sorted);
            double half = NORMAL_97_5 * Math.sqrt(sorted.length) / 2;
            int low = (int) Math.max(0, Math.floor(sorted.length / 2.0 - half) - 1);
            int high = (int) Math.min(sorted.length - 1, Math.ceil(sorted.length / 2.0 + half));
            return Math.log(sorted[high] / sorted[low]) / (2 * NORMAL_97_5);
        }
    }
}
