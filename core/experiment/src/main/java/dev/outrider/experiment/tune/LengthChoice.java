package dev.outrider.experiment.tune;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.model.FittedCurve;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.results.RoundLine;
import dev.outrider.experiment.results.RoundLine.Round;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/// Computes the results that candidates and chains of other lengths would have had in a comparison: the rounds of a candidate, with
/// drafts cut to a length, at the measured t(n) and the measured cost of a draft. Times are medians, because the first rounds of a
/// process are slow.
///
/// A cut round begins at the position of the longer one, although shorter rounds would begin at other positions. The laboratory,
/// which has every position, does not have this error, but needs a recording (docs/decisions/0095). Immutable.
final class LengthChoice {
    private static final int FEWEST = 3;

    private final Map<String, List<Round>> rounds;
    private final SortedMap<Integer, Double> passes;

    /// @param rounds of a comparison
    LengthChoice(List<RoundLine> rounds) {
        this.rounds =
                rounds.stream()
                        .collect(
                                Collectors.groupingBy(
                                        RoundLine::variant,
                                        Collectors.mapping(RoundLine::round, Collectors.toList())));
        this.passes = passes(rounds.stream().map(RoundLine::round).toList());
    }

    /// t(n), which does not fall.
    private static SortedMap<Integer, Double> passes(List<Round> rounds) {
        var byRows = by(rounds, round -> round.nodes() + 1);
        double[] medians =
                byRows.values().stream()
                        .mapToDouble(each -> median(each, StageTimes::score))
                        .toArray();
        double[] weights = byRows.values().stream().mapToDouble(List::size).toArray();
        double[] fitted = FittedCurve.rising(medians, weights);
        var points = new TreeMap<Integer, Double>();
        byRows.keySet().forEach(rows -> points.put(rows, fitted[points.size()]));
        return points;
    }

    /// Groups by a number. Numbers with few rounds are left out, because their medians are noise, unless all have few.
    private static SortedMap<Integer, List<Round>> by(
            List<Round> rounds, ToIntFunction<Round> number) {
        var groups =
                rounds.stream()
                        .collect(
                                Collectors.groupingBy(
                                        number::applyAsInt, TreeMap::new, Collectors.toList()));
        if (groups.values().stream().anyMatch(each -> each.size() >= FEWEST)) {
            groups.values().removeIf(each -> each.size() < FEWEST);
        }
        return groups;
    }

    private static double median(List<Round> rounds, ToLongFunction<StageTimes> stage) {
        return Bootstrap.median(
                rounds.stream().mapToDouble(round -> stage.applyAsLong(round.times())).toArray());
    }

    /// Returns the expected speedups over plain decoding of chains of every length and of the other measured candidates.
    Map<Candidate, Double> prices(Probe probe) {
        var prices = new LinkedHashMap<Candidate, Double>();
        if (!passes.containsKey(1)) {
            return prices;
        }
        for (var family : probe.families()) {
            family.chains().forEach(each -> price(prices, each, family.first()));
        }
        probe.withoutWeights().forEach(each -> price(prices, each, List.of(each)));
        return prices;
    }

    private List<Round> rounds(Candidate candidate) {
        return rounds.getOrDefault(candidate.name(), List.of());
    }

    /// @param measured candidates of its drafter, whose rounds all give the cost of its drafts; the last is it or a longer chain
    private void price(
            Map<Candidate, Double> prices, Candidate candidate, List<Candidate> measured) {
        var own = rounds(measured.getLast());
        if (own.isEmpty()) {
            return;
        }
        int most = candidate.length() > 0 ? candidate.length() : Integer.MAX_VALUE;
        var cost = drafts(measured.stream().flatMap(each -> rounds(each).stream()).toList());
        var t = new CostCurve(passes);
        double rest = median(own, times -> times.total() - times.score() - times.draft());
        double tokens = 0;
        double nanos = 0;
        for (var round : own) {
            int depth = Math.min(round.depth(), most);
            tokens += Math.min(round.emitted(), Math.min(round.accepted(), most) + 1);
            nanos +=
                    t.at(1 + Math.min(round.nodes(), most))
                            + (depth == 0 ? 0 : cost.of(depth))
                            + rest;
        }
        prices.put(
                candidate,
                median(rounds.getOrDefault("plain", List.of()), StageTimes::total)
                        * tokens
                        / nanos);
    }

    private static LinearCost drafts(List<Round> rounds) {
        var nanos = new TreeMap<Integer, Double>();
        var counts = new HashMap<Integer, Integer>();
        by(rounds.stream().filter(round -> round.depth() > 0).toList(), Round::depth)
                .forEach((depth, each) -> {
                    nanos.put(depth, median(each, StageTimes::draft));
                    counts.put(depth, each.size());
                });
        return nanos.isEmpty() ? LinearCost.FREE : LinearCost.through(nanos, counts, "");
    }
}
