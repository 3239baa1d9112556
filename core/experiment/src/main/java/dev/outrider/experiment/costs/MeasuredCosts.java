package dev.outrider.experiment.costs;

import dev.outrider.experiment.recording.LengthTimes;
import dev.outrider.experiment.report.read.Cell;
import dev.outrider.experiment.report.read.ResultReader;
import dev.outrider.experiment.report.read.RoundLine;
import dev.outrider.experiment.stats.CostPoint;
import dev.outrider.experiment.stats.RoundMeans;
import dev.outrider.experiment.stats.SideResult;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/// The costs that a comparison measured.
public final class MeasuredCosts {
    private MeasuredCosts() {}

    /// Share of rounds left out at either end of a mean: what a machine did besides, and no more, for drafts of one drafter may be of
    /// two kinds, as a cascade's are.
    private static final double TRIMMED = 0.1;

    /// The costs of a comparison, for its own variants.
    ///
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell) {
        return of(cell, cell.variants());
    }

    /// The costs of a comparison for the variants of another one: those of the variant of the same name, or of those with the same
    /// drafter.
    ///
    /// @param cell     whose costs
    /// @param variants whose drafts
    /// @throws OutriderException DATA_INVALID if no pass of one row was measured
    public static Costs of(Cell cell, List<SideResult> variants) {
        return new Measured(cell, rounds(cell)).costs(variants);
    }

    /// Rounds of every length that a recording timed; without one the rounds of the run.
    private static List<RoundLine> rounds(Cell cell) {
        var beams = new HashSet<String>();
        cell.report().sides().stream()
                .filter(side -> side.beams().isPresent())
                .forEach(side -> beams.add(side.name()));
        return LengthTimes.read(cell.folder()).orElseGet(() -> ResultReader.rounds(cell)).stream()
                .filter(line -> !beams.contains(line.side()))
                .toList();
    }

    /// @param rounds none where an older version wrote the results: then means have to do
    private record Measured(Cell cell, List<RoundLine> rounds) {
        Costs costs(List<SideResult> variants) {
            var drafters = new HashMap<String, DraftCost>();
            var engine = new HashMap<String, Double>();
            for (SideResult variant : variants) {
                namesake(variant)
                        .ifPresent(found -> {
                            drafters.put(
                                    variant.name(),
                                    draft(
                                            List.of(found),
                                            "variant '%s' there".formatted(found.name())));
                            engine.put(variant.name(), engine(found));
                        });
                var alike =
                        cell.variants().stream()
                                .filter(each -> each.drafter().equals(variant.drafter()))
                                .filter(each -> each.draftLength() > 0)
                                .toList();
                if (!alike.isEmpty()) {
                    drafters.putIfAbsent(
                            variant.name(),
                            draft(alike, "the drafter '%s' there".formatted(variant.drafter())));
                }
            }
            for (SideResult side : cell.report().sides()) {
                if (side.plain()) {
                    engine.put(side.name(), engine(side));
                }
            }
            return new Costs(cell.title(), "measured in that run", curve(), drafters, engine);
        }

        private Optional<SideResult> namesake(SideResult variant) {
            return cell.variants().stream()
                    .filter(each ->
                            each.name().equals(variant.name())
                                    && each.drafter().equals(variant.drafter()))
                    .findFirst();
        }

        private CostCurve curve() {
            var passes = new TreeMap<Integer, double[]>();
            rounds.stream()
                    .filter(line -> line.round().times().score() > 0)
                    .collect(Collectors.groupingBy(line -> line.round().nodes() + 1))
                    .forEach((rows, lines) ->
                            passes.put(rows, nanos(lines, round -> round.times().score())));
            if (passes.containsKey(1)) {
                return TimedPasses.curve(passes);
            }
            SortedMap<Integer, Double> points =
                    cell.report().costCurve().stream()
                            .filter(point -> point.meanNanos() > 0)
                            .collect(
                                    Collectors.toMap(
                                            CostPoint::rows,
                                            CostPoint::meanNanos,
                                            (one, _) -> one,
                                            TreeMap::new));
            if (!points.containsKey(1)) {
                throw new OutriderException(
                        ErrorCode.DATA_INVALID,
                        "'%s' has no pass of one row, so its costs are not known"
                                .formatted(cell.folder()),
                        "Name results of a comparison in which plain decoding was measured.");
            }
            return new CostCurve(points);
        }

        /// A line through the times of drafts by depth. Where no depth has enough rounds, time over levels.
        private DraftCost draft(List<SideResult> sides, String origin) {
            var names = sides.stream().map(SideResult::name).collect(Collectors.toSet());
            var nanos = new TreeMap<Integer, Double>();
            var counts = new HashMap<Integer, Integer>();
            rounds.stream()
                    .filter(line -> names.contains(line.side()) && line.round().depth() > 0)
                    .collect(Collectors.groupingBy(line -> line.round().depth()))
                    .forEach((depth, lines) -> {
                        if (lines.size() >= TimedPasses.FEWEST) {
                            nanos.put(depth, trimmed(nanos(lines, round -> round.times().draft())));
                            counts.put(depth, lines.size());
                        }
                    });
            return nanos.isEmpty()
                    ? new DraftCost(0, overLevels(sides), origin)
                    : DraftCost.through(nanos, counts, origin);
        }

        private static double overLevels(List<SideResult> sides) {
            double nanos = 0;
            double levels = 0;
            for (SideResult side : sides) {
                nanos += side.counts().times().draft();
                levels += side.counts().draftSteps();
            }
            return levels == 0 ? 0 : nanos / levels;
        }

        private double engine(SideResult side) {
            var own = rounds.stream().filter(line -> line.side().equals(side.name())).toList();
            if (own.size() >= TimedPasses.FEWEST) {
                return trimmed(
                        nanos(
                                own,
                                round ->
                                        round.times().total()
                                                - round.times().draft()
                                                - round.times().score()));
            }
            RoundMeans means = side.meanNanos();
            return means.decide() + means.commit() + means.observe() + means.rest();
        }

        private static double[] nanos(
                List<RoundLine> lines, ToDoubleFunction<RoundLine.Round> time) {
            return lines.stream().map(RoundLine::round).mapToDouble(time).toArray();
        }
    }

    private static double trimmed(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int out = (int) (TRIMMED * sorted.length);
        return Arrays.stream(sorted, out, sorted.length - out).average().orElse(0);
    }
}
