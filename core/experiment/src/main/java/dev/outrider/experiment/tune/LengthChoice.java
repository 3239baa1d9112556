package dev.outrider.experiment.tune;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Says what chains of other lengths would have given in a comparison: its rounds with longer drafts, cut, at the measured t(n) and the
/// measured cost of a draft step.
///
/// A cut round begins where the long one did, although shorter rounds begin at other places; the laboratory, which knows every position, has no
/// such error and needs a recording (docs/decisions/0095). Immutable.
final class LengthChoice {
    /// Fewer passes of a number of rows are no point of t(n).
    private static final int FEWEST_PASSES = 3;

    private static final String PLAIN = "plain";

    private final List<RoundLine> rounds;
    private final Optional<CostCurve> curve;
    private final double plainPerToken;

    /// @param rounds of a comparison; times are medians, because the first ones of a process are long
    LengthChoice(List<RoundLine> rounds) {
        this.rounds = rounds;
        this.curve = curve(rounds);
        this.plainPerToken = median(rounds(PLAIN), StageTimes::total);
    }

    private static Optional<CostCurve> curve(List<RoundLine> rounds) {
        var byRows =
                rounds.stream()
                        .map(RoundLine::round)
                        .collect(
                                Collectors.groupingBy(
                                        round -> round.nodes() + 1,
                                        TreeMap::new,
                                        Collectors.toList()));
        var points = new TreeMap<Integer, Double>();
        double least = 0;
        for (var each : byRows.entrySet()) {
            if (each.getKey() == 1 || each.getValue().size() >= FEWEST_PASSES) {
                // More rows never take less time but for noise.
                least = Math.max(least, median(each.getValue(), StageTimes::score));
                points.put(each.getKey(), least);
            }
        }
        return least > 0 && points.containsKey(1)
                ? Optional.of(new CostCurve(points))
                : Optional.empty();
    }

    private static double median(List<RoundLine.Round> rounds, ToLongFunction<StageTimes> stage) {
        double[] times =
                rounds.stream().mapToDouble(round -> stage.applyAsLong(round.times())).toArray();
        return times.length == 0 ? 0 : Bootstrap.median(times);
    }

    /// Returns the expected speedup over plain decoding by length; nothing where the comparison has no rounds of the family.
    Map<Integer, Double> of(DrafterFamily family) {
        var found = new LinkedHashMap<Integer, Double>();
        if (family.lengths().isEmpty() || curve.isEmpty()) {
            return found;
        }
        var longest = rounds(family.chain(family.lengths().getLast()).name());
        if (longest.isEmpty()) {
            return found;
        }
        var cost = DraftCost.of(family.first().stream().map(each -> rounds(each.name())).toList());
        for (int length : family.lengths()) {
            found.put(length, speedup(longest, length, cost, curve.get()));
        }
        return found;
    }

    private List<RoundLine.Round> rounds(String variant) {
        return rounds.stream()
                .filter(line -> line.variant().equals(variant))
                .map(RoundLine::round)
                .toList();
    }

    private double speedup(
            List<RoundLine.Round> longest, int length, DraftCost cost, CostCurve passes) {
        double rest = median(longest, times -> times.total() - times.score() - times.draft());
        double tokens = 0;
        double nanos = 0;
        for (var round : longest) {
            int depth = Math.min(round.depth(), length);
            tokens += Math.min(round.emitted(), Math.min(round.accepted(), length) + 1);
            nanos += passes.at(1 + depth) + (depth == 0 ? 0 : cost.at(depth)) + rest;
        }
        return plainPerToken * tokens / nanos;
    }

    /// The nanoseconds of a draft: a line through the drafts of the chains that were measured.
    ///
    /// @param fixed of each draft
    /// @param step  of each level
    record DraftCost(double fixed, double step) {
        double at(int depth) {
            return fixed + step * depth;
        }

        /// @param chains rounds of one or two chains, the shorter one first
        static DraftCost of(List<List<RoundLine.Round>> chains) {
            var means = chains.stream().map(Mean::of).filter(mean -> mean.depth > 0).toList();
            if (means.isEmpty()) {
                return new DraftCost(0, 0);
            }
            var first = means.getFirst();
            var last = means.getLast();
            if (last.depth <= first.depth) {
                return new DraftCost(0, last.nanos / last.depth);
            }
            double slope = (last.nanos - first.nanos) / (last.depth - first.depth);
            double step = Math.clamp(slope, 0, last.nanos / last.depth);
            return new DraftCost(last.nanos - step * last.depth, step);
        }

        private record Mean(double depth, double nanos) {
            static Mean of(List<RoundLine.Round> rounds) {
                var drafted = rounds.stream().filter(round -> round.depth() > 0).toList();
                return new Mean(
                        drafted.stream().mapToInt(RoundLine.Round::depth).average().orElse(0),
                        median(drafted, StageTimes::draft));
            }
        }
    }
}
