package dev.outrider.cli;

import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.plugins.Components;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.nn.bench.BenchReport;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Costs at a named shape, timed in this process on random weights: passes of the rows that the variants' drafts have, and the drafts of
/// every drafter that has a bench. Drafters that do not depend on the target's shape keep the time that the run measured.
final class ShapeCosts {
    /// The drafter that is a model of its own.
    private static final String SMALL_MODEL = "small-model";

    private static final Precision PRECISION = Precision.BF16;
    private static final int CONTEXT = 128;
    private static final int TURNS = 5;
    private static final int REPEATS = 3;
    private static final double NANOS = 1e9;

    private final CommandContext context;

    ShapeCosts(CommandContext context) {
        this.context = context;
    }

    /// Whether a text is a shape, or two joined by `+`.
    static boolean names(String text) {
        return List.of(text.toLowerCase(Locale.ROOT).split("\\+", -1)).stream()
                .allMatch(NamedShapes.all()::containsKey);
    }

    /// The names of all shapes.
    static String all() {
        return String.join(", ", NamedShapes.all().keySet());
    }

    /// Times everything that the variants of a comparison need.
    ///
    /// @param shapes of the target, or of target and draft model
    /// @throws OutriderException USAGE
    Costs of(String shapes, Cell cell, Measurement.Watch watch) {
        String[] names = shapes.toLowerCase(Locale.ROOT).split("\\+", -1);
        if (names.length > 2) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "--costs-of is '%s', expected one shape, or two joined by '+'"
                            .formatted(shapes),
                    "Name the target's shape, and the draft model's.");
        }
        int threads = cell.provenance().map(from -> from.machine().threads()).orElse(1);
        var passes = passes(names[0], rows(cell), threads, watch);
        var points = new TreeMap<Integer, Double>();
        passes.lines().forEach(line -> points.put(line.rows(), line.bestSeconds() * NANOS));
        var target = new CostCurve(points);
        var drafters = new HashMap<String, LinearCost>();
        drafters.putAll(timed(names[0], cell, threads, target.at(1), watch));
        if (names.length == 2) {
            var step = passes(names[1], List.of(1), threads, watch).lines().getFirst();
            cell.speculative().stream()
                    .filter(variant -> variant.drafter().equals(SMALL_MODEL))
                    .forEach(variant ->
                            drafters.put(
                                    variant.name(),
                                    new LinearCost(
                                            0,
                                            step.bestSeconds() * NANOS,
                                            "a pass of " + names[1])));
        }
        return new Costs(
                shapes,
                "random weights, %s, %d threads, context %d, best of %d passes each"
                        .formatted(
                                PRECISION.name().toLowerCase(Locale.ROOT),
                                threads,
                                CONTEXT,
                                TURNS * REPEATS),
                target,
                drafters,
                Map.of());
    }

    /// One row, the mean rows of each variant, and the most of any.
    private static List<Integer> rows(Cell cell) {
        var rows = new TreeSet<Integer>(List.of(1, 2));
        for (VariantResult variant : cell.speculative()) {
            rows.add(Math.max(1, Math.toIntExact(Math.round(variant.rowsPerPass()))));
            rows.add(variant.meanNanos().passByRows().lastKey());
        }
        return List.copyOf(rows);
    }

    private static BenchReport passes(
            String shape, List<Integer> rows, int threads, Measurement.Watch watch) {
        var decoder = Optional.ofNullable(NamedShapes.all().get(shape)).orElseThrow();
        var turn = watch.turns(TURNS + 1);
        return ModelBench.run(
                new ModelBench.Request(
                        shape, decoder, PRECISION, threads, CONTEXT, 1, rows, TURNS, REPEATS),
                (_, _, _) -> turn.run(),
                watch.clock()::getAsLong);
    }

    /// Variants with the same drafter and length are timed once.
    private record Draft(String drafter, int length) {}

    private Map<String, LinearCost> timed(
            String shape, Cell cell, int threads, double one, Measurement.Watch watch) {
        var target = new TimedTarget(shape, threads, PRECISION, CONTEXT);
        var times = new HashMap<Draft, Optional<DraftTimes>>();
        var costs = new HashMap<String, LinearCost>();
        for (VariantResult variant : cell.speculative()) {
            int length = Math.max(1, Math.toIntExact(Math.round(variant.draftLength())));
            times.computeIfAbsent(
                            new Draft(variant.drafter(), length),
                            draft -> time(draft, target, watch))
                    .ifPresent(found ->
                            costs.put(
                                    variant.name(),
                                    new LinearCost(
                                            found.round() * one,
                                            found.step() * one,
                                            "timed at " + shape)));
        }
        return costs;
    }

    private Optional<DraftTimes> time(Draft draft, TimedTarget target, Measurement.Watch watch) {
        Optional<? extends DraftBench<?>> bench =
                context.plugins().services(ServiceGroup.DRAFT_BENCH).all().stream()
                        .map(Components.Installed::factory)
                        .filter(each -> each.drafters().contains(draft.drafter()))
                        .findFirst();
        return bench.map(each -> each.times(draft.drafter(), target, draft.length(), watch));
    }
}
