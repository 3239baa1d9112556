package dev.outrider.cli;

import dev.outrider.common.AtomicFile;
import dev.outrider.common.Columns;
import dev.outrider.common.FailureReason;
import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.PromptSource;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.experiment.results.Report;
import dev.outrider.experiment.results.TextTable;
import dev.outrider.experiment.run.PromptEncoder;
import dev.outrider.experiment.tree.PromptSplit;
import dev.outrider.experiment.tree.TreeFileWriter;
import dev.outrider.experiment.tree.TreeOptimiser;
import dev.outrider.experiment.tree.TreeOptimiser.OptimisedTree;
import dev.outrider.experiment.tree.TreeOptimiser.TreeSearch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command `outrider tree optimise`.
@Command(name = "optimise", aliases = "optimize")
final class TreeOptimiseCommand extends Subcommand {

    @Option(names = "--config", required = true, paramLabel = "CONFIG")
    private Path config = Path.of("");

    @Option(names = "--variant", paramLabel = "NAME", defaultValue = "")
    private String variantName = "";

    @Option(names = "--out", required = true, paramLabel = "FILE")
    private Path out = Path.of("");

    @Option(names = "--prompts", paramLabel = "FILE")
    private Optional<Path> prompts = Optional.empty();

    @Option(names = "--ranks", defaultValue = "8", paramLabel = "W")
    private int ranks;

    @Option(names = "--probe-depth", defaultValue = "2", paramLabel = "D")
    private int probeDepth;

    @Option(names = "--nodes", defaultValue = "32", paramLabel = "N")
    private int nodes;

    @Option(names = "--depth", defaultValue = "8", paramLabel = "D")
    private int depth;

    @Mixin private ExperimentOptions options = new ExperimentOptions();

    @Override
    public Integer call() {
        var experiment = options.experiment(context(), config).config();
        var variant = variant(experiment);
        var search = search();
        var split = split(experiment);
        OptimisedTree found;
        try {
            found = optimise(experiment, variant, search, split);
        } catch (CancellationException e) {
            err().println("Interrupted; a tree needs every measurement, and none is written.");
            return ExitCode.INTERRUPTED;
        }
        write(found);
        out().print(TreeReport.of(found));
        out().printf("%nWritten to %s%n%n", out);
        out().flush();
        return check(experiment, variant, found, split);
    }

    private OptimisedTree optimise(
            ExperimentConfig experiment,
            VariantConfig variant,
            TreeSearch search,
            PromptSplit split) {
        try (var progress = new ConsoleProgress(context().console(), "tree")) {
            var optimiser =
                    new TreeOptimiser(
                            experiment,
                            variant,
                            search,
                            context().ticker(),
                            progress,
                            context().interrupted());
            return optimiser.optimise(split.measure(), Machine.processor());
        }
    }

    private int check(
            ExperimentConfig experiment,
            VariantConfig variant,
            OptimisedTree found,
            PromptSplit split) {
        var both = experiment.withVariants(List.of(variant, found.variant()));
        try (var loadedExperiment = context().load(both, false)) {
            var result = context().compare(loadedExperiment.plan(both).withPrompts(split.check()));
            if (result.generations().isEmpty()) {
                err().println("Interrupted before anything was compared.");
                return ExitCode.INTERRUPTED;
            }
            var report = Report.of("", Optional.empty(), result, Map.of(), Optional.empty());
            out().print(TextTable.of(report));
            out().print(TreeReport.check(found, report));
            return ExitCode.OK;
        }
    }

    private PromptSplit split(ExperimentConfig experiment) {
        var alone = experiment.withVariants(List.of());
        try (var loadedExperiment = context().load(alone, false)) {
            var all = loadedExperiment.plan(alone).prompts();
            if (prompts.isEmpty()) {
                return PromptSplit.alternating(all);
            }
            var source = new PromptSource.FromFile(prompts.get(), List.of(), 0);
            var encoder = new PromptEncoder(loadedExperiment.target(), experiment.maxTokens());
            return PromptSplit.apart(encoder.encode(source), all);
        }
    }

    private VariantConfig variant(ExperimentConfig experiment) {
        var all = experiment.variants();
        return variantName.isEmpty() && all.size() == 1
                ? all.getFirst()
                : only(List.of(variantName), experiment).variants().getFirst();
    }

    private TreeSearch search() {
        try {
            return new TreeSearch(ranks, probeDepth, nodes, depth);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void write(OptimisedTree found) {
        var yaml = TreeFileWriter.yaml(found.file());
        FailureReason.writing("the file", out, () -> AtomicFile.write(out, yaml));
    }

    /// The report of `outrider tree optimise`: measurements and the tree.
    static final class TreeReport {
        private static final double NANOS_PER_MILLISECOND = 1e6;

        private TreeReport() {}

        /// Returns the measurements, the tree and its expected result.
        static String of(OptimisedTree found) {
            var text = new StringBuilder();
            var counts = found.counts();
            text.append(
                    "Acceptance by rank, rule %s, %d nodes\n"
                            .formatted(found.rule(), counts.visited()));
            var heading = new ArrayList<>(List.of("below", "nodes"));
            for (int rank = 0; rank < counts.acceptance().ranks(); rank++) {
                heading.add("rank " + rank);
            }
            heading.add("none");
            var table = Columns.of(heading.toArray(String[]::new));
            for (int depth = 0; depth < counts.depths(); depth++) {
                rates(
                        table,
                        depth == 0 ? "root" : "depth " + depth,
                        counts.visited(depth),
                        counts.acceptance(depth));
            }
            rates(table, "all", counts.visited(), counts.acceptance());
            text.append(table.text()).append('\n');
            var cost = found.cost();
            text.append(
                    "Drafting costs %s ms a level and %s ms a node; the rest of a round, by rows of the pass:\n"
                            .formatted(
                                    number(cost.draftPerLevel() / NANOS_PER_MILLISECOND),
                                    number(cost.draftPerNode() / NANOS_PER_MILLISECOND)));
            var times = Columns.of("rows", "ms", "t(n)/t(1)");
            cost.byRows()
                    .forEach((rows, nanos) ->
                            times.row(
                                    rows,
                                    number(nanos / NANOS_PER_MILLISECOND),
                                    number(nanos / cost.plain())));
            text.append(times.text()).append('\n');
            text.append(TreeDrawing.of(found.file()));
            if (found.speedup() < 1) {
                text.append(
                        "Drafting does not pay here: plain decoding should be faster than any tree.\n");
            }
            return text.toString();
        }

        /// Returns expected and measured numbers of the check.
        static String check(OptimisedTree found, Report report) {
            var table = Columns.of("optimised tree", "expected", "measured");
            for (var variant : report.variants()) {
                if (variant.name().equals(OptimisedTree.NAME)) {
                    var metrics = variant.counts();
                    double decided = 1 + (double) metrics.accepted() / metrics.rounds();
                    table.row(
                            "tokens decided a round",
                            number(found.tree().tokens()),
                            number(decided));
                    table.row(
                            "speedup",
                            number(found.speedup()) + "x",
                            number(variant.speedup().value())
                                    + "x "
                                    + variant.speedup().bounds(TreeReport::number));
                }
            }
            return "\n" + table.text();
        }

        private static void rates(
                Columns table, String below, long nodes, PositionalAcceptance acceptance) {
            var cells = new ArrayList<>(List.of(below, Long.toString(nodes)));
            double sum = 0;
            for (double rate : acceptance.rates()) {
                cells.add(number(rate));
                sum += rate;
            }
            cells.add(number(1 - sum));
            table.row(cells.toArray(String[]::new));
        }

        private static String number(double value) {
            return Console.format("%.3f", value);
        }
    }
}
