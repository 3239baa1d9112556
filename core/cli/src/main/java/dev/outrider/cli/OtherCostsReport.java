package dev.outrider.cli;

import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.DraftTimes;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.plugins.Components;
import dev.outrider.experiment.costs.Costs;
import dev.outrider.experiment.costs.Costs.LinearCost;
import dev.outrider.experiment.costs.CostsFile;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.costs.OtherCosts;
import dev.outrider.experiment.costs.OtherCostsTable;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.experiment.stats.VariantResult;
import dev.outrider.nn.bench.BenchReport;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.shape.NamedShapes;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Finished results at other costs: reads or measures the costs, prints the table and writes the report.
record OtherCostsReport(CommandContext context) {
    /// The drafter that is a model of its own.
    private static final String SMALL_MODEL = "small-model";

    private static final Precision PRECISION = Precision.BF16;
    private static final int CONTEXT = 128;
    private static final int TURNS = 5;
    private static final int REPEATS = 3;
    private static final double NANOS = 1e9;

    /// Prints the table and writes the report.
    ///
    /// @param results folder of one comparison
    /// @param place   a shape, a folder of results or a file of costs
    /// @param out     where the report goes
    /// @return the exit code
    /// @throws OutriderException if the results are several, or the place is none of these
    int write(Path results, String place, Path out) {
        var cell = only(results, "--costs-of is for one");
        return new Measurement(context)
                .print(
                        "costs",
                        watch -> {
                            var there = costs(place, cell, watch);
                            var priced = OtherCosts.of(cell, there);
                            ReportFiles.write(
                                    results, out, Optional.of(there), Optional.of(priced));
                            return OtherCostsTable.of(priced);
                        });
    }

    /// Returns the only comparison of a folder.
    ///
    /// @param reason why it must be the only one
    /// @throws OutriderException USAGE if the folder holds several
    static Cell only(Path folder, String reason) {
        var cells = ResultReader.read(folder).cells();
        if (cells.size() > 1) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' holds %d comparisons, and %s".formatted(folder, cells.size(), reason),
                    "Name the folder of one of them, such as %s."
                            .formatted(cells.getFirst().folder()));
        }
        return cells.getFirst();
    }

    /// Costs for the variants of a comparison.
    ///
    /// @param place a shape, a folder of results or a file of costs
    /// @throws OutriderException if the place is none of these
    Costs costs(String place, Cell cell, Measurement.Watch watch) {
        return costs(place, Optional.of(cell), rows(cell), watch);
    }

    /// @param cell of the comparison; without one the drafters are those of the costs, or the second shape
    /// @param rows that a shape is timed with
    Costs costs(String place, Optional<Cell> cell, List<Integer> rows, Measurement.Watch watch) {
        if (isShape(place)) {
            return ofShapes(place, cell, rows, watch);
        }
        Path path = Path.of(place);
        if (Files.isDirectory(path)) {
            var other = only(path, "--costs-of is for one");
            return MeasuredCosts.of(other, cell.orElse(other).speculative());
        }
        if (Files.isRegularFile(path)) {
            return ofFile(path, cell);
        }
        throw new OutriderException(
                ErrorCode.USAGE,
                "--costs-of is '%s', which is no shape, no folder and no file".formatted(place),
                "Shapes are %s; two of them joined by '+' are those of target and draft model."
                        .formatted(String.join(", ", NamedShapes.all().keySet())));
    }

    private Costs ofFile(Path file, Optional<Cell> cell) {
        var typed = context.loader().load(file, CostsFile.class, List.of()).config();
        var drafters = new LinkedHashMap<String, String>();
        cell.map(Cell::speculative)
                .orElse(List.of())
                .forEach(variant -> drafters.putIfAbsent(variant.name(), variant.drafter()));
        if (cell.isEmpty()) {
            typed.drafters().forEach(each -> drafters.put(each.name(), each.name()));
        }
        var plain =
                cell.map(each -> each.report().variants()).orElse(List.of()).stream()
                        .filter(VariantResult::plain)
                        .map(VariantResult::name)
                        .toList();
        try {
            return typed.costs(
                    file.toString(), drafters, cell.isEmpty() ? List.of("plain") : plain);
        } catch (IllegalArgumentException e) {
            throw new OutriderException(
                    ErrorCode.CONFIG_INVALID,
                    "%s: %s".formatted(file, e.getMessage()),
                    "Name variants or drafters of the results.",
                    e);
        }
    }

    /// Returns whether a text is a shape, or two joined by `+`.
    private static boolean isShape(String text) {
        return List.of(text.toLowerCase(Locale.ROOT).split("\\+", -1)).stream()
                .allMatch(NamedShapes.all()::containsKey);
    }

    /// Times everything that the variants of a comparison need.
    ///
    /// @param shapes of the target, or of target and draft model
    /// @throws OutriderException USAGE
    private Costs ofShapes(
            String shapes, Optional<Cell> cell, List<Integer> rows, Measurement.Watch watch) {
        String[] names = shapes.toLowerCase(Locale.ROOT).split("\\+", -1);
        if (names.length > 2) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "--costs-of is '%s', expected one shape, or two joined by '+'"
                            .formatted(shapes),
                    "Name the target's shape, and the draft model's.");
        }
        int threads =
                cell.map(each -> each.provenance().map(from -> from.machine().threads()).orElse(1))
                        .orElseGet(() -> Runtime.getRuntime().availableProcessors());
        var passes = passes(names[0], rows, threads, watch);
        var points = new TreeMap<Integer, Double>();
        passes.lines().forEach(line -> points.put(line.rows(), line.bestSeconds() * NANOS));
        var target = new CostCurve(points);
        var drafters = new HashMap<String, LinearCost>();
        cell.ifPresent(of -> drafters.putAll(timed(names[0], of, threads, target.at(1), watch)));
        if (names.length == 2) {
            var step = passes(names[1], List.of(1), threads, watch).lines().getFirst();
            var cost = new LinearCost(0, step.bestSeconds() * NANOS, "a pass of " + names[1]);
            cell.map(Cell::speculative).orElse(List.of()).stream()
                    .filter(variant -> variant.drafter().equals(SMALL_MODEL))
                    .forEach(variant -> drafters.put(variant.name(), cost));
            if (cell.isEmpty()) {
                drafters.put(names[1], cost);
            }
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
                        shape,
                        decoder,
                        PRECISION,
                        RowPrecision.INT8,
                        CachePrecision.F32,
                        threads,
                        CONTEXT,
                        1,
                        rows,
                        TURNS,
                        REPEATS),
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
