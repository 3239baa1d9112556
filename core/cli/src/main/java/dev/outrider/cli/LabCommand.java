package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.lab.Laboratory;
import dev.outrider.experiment.lab.Laboratory.Asked;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.lab.Starts;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider lab`: other rules, lengths and trees from a recording.
@Command(
        name = "lab",
        description = {
            "Says what other rules, lengths and trees would have given in a recorded run.",
            "",
            "FOLDER holds results of 'outrider bench --record'; no model is loaded. For every rule, length and tree that the recording supports come the"
                    + " expected tokens per round, along texts of the target's own, and the expected speedup at this run's times, or at"
                    + " those of --costs-of. Nothing is drawn again: given the text, what a rule keeps of a draft is arithmetic on p"
                    + " and q (docs/guide/laboratory.md).",
            "",
            "Times are those of rounds that were timed at every draft length while recording; where passes had more rows than any of"
                    + " these, the output says so.",
            "",
            "Below stand, by position in the draft, what is kept, what block verification would keep, than which no rule keeps more of a"
                    + " drawn chain, and what an optimal coupling would; the same by kind of task; what limits the speedup; and"
                    + " what this recording does not answer, with the run that would."
        },
        footer = {
            "  outrider lab results/laboratory",
            "  outrider lab results/laboratory --length 2,4,8 --tree 4,2,1 --tree 2,2,2",
            "  outrider lab results/laboratory --costs-of tinyllama-1.1b",
            "  outrider lab results/laboratory --json"
        })
final class LabCommand implements Callable<Integer> {
    private static final int DEEPEST = 64;
    private static final int MAX_ROWS = 1 << 16;

    private final CommandContext context;

    @Parameters(paramLabel = "FOLDER", description = "Results of 'outrider bench --record'.")
    private Path folder = Path.of("");

    @Option(
            names = "--length",
            paramLabel = "K",
            split = ",",
            description = "Draft lengths to ask about (default: all up to the recorded ones).")
    private List<Integer> lengths = List.of();

    @Option(
            names = "--tree",
            paramLabel = "WIDTHS",
            description =
                    "A tree to ask about by the children of a node at each level, such as 4,2,1; several times for several trees"
                            + " (default: 2,1 and 4,2,1). The most probable guesses as recorded, and the bound for drawn ones.")
    private List<String> trees = List.of("2,1", "4,2,1");

    @Option(
            names = "--rule",
            paramLabel = "NAME",
            split = ",",
            description = "Rules to ask about (default: every one that the recording answers).")
    private List<String> rules = List.of();

    @Option(names = "--json", description = "Print JSON instead of tables.")
    private boolean json;

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    LabCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        lengths.forEach(LabCommand::requireLength);
        rules.forEach(context.plugins().all(ComponentKind.ACCEPTANCE_RULE)::require);
        var asked = new Asked(lengths, trees.stream().map(LabCommand::widths).toList(), rules);
        // Read on another thread while this one reads the results.
        var expected = ResultReader.run(folder);
        var recording = CompletableFuture.supplyAsync(() -> Recording.read(expected));
        var cell = cell();
        return answer(
                cell,
                cell.folder().equals(expected) ? joined(recording) : Recording.read(cell.folder()),
                asked);
    }

    private static Recording joined(CompletableFuture<Recording> recording) {
        try {
            return recording.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private int answer(Cell cell, Recording recording, Asked asked) {
        var own = MeasuredCosts.of(cell);
        if (costsOf.value().isEmpty()) {
            context.out().print(shown(Laboratory.atOwnCosts(recording, own, asked)));
            context.out().flush();
            return ExitCode.OK;
        }
        return new Measurement(context)
                .print(
                        "costs",
                        watch ->
                                shown(
                                        new Laboratory(
                                                recording,
                                                new OtherCostsReport(context)
                                                        .costs(
                                                                costsOf.value().orElseThrow(),
                                                                cell,
                                                                watch),
                                                own,
                                                Starts.NONE,
                                                asked)));
    }

    private String shown(Laboratory laboratory) {
        var report = laboratory.report();
        return json ? Json.pretty(report) : PrintableText.of(LabTable.of(report));
    }

    private Cell cell() {
        var cells = ResultReader.read(folder).cells();
        if (cells.size() > 1) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "'%s' holds %d comparisons, and a recording is one's"
                            .formatted(folder, cells.size()),
                    "Name the folder of one of them, such as %s."
                            .formatted(cells.getFirst().folder()));
        }
        return cells.getFirst();
    }

    private static void requireLength(int length) {
        if (length < 1 || length > DEEPEST) {
            throw new OutriderException(
                    ErrorCode.USAGE,
                    "--length is %d".formatted(length),
                    "Give numbers from 1 to %d, such as --length 2,4,8.".formatted(DEEPEST));
        }
    }

    private static List<Integer> widths(String text) {
        try {
            var widths = Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
            long rows = 1;
            long level = 1;
            for (int width : widths) {
                level = width < 1 ? MAX_ROWS : Math.min(MAX_ROWS, level * width);
                rows += level;
            }
            if (widths.size() <= DEEPEST && rows <= MAX_ROWS) {
                return widths;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new OutriderException(
                ErrorCode.USAGE,
                "--tree is '%s'".formatted(text),
                "Give the children of a node at each level, positive and not more than %d nodes in all, such as 4,2,1."
                        .formatted(MAX_ROWS - 1));
    }
}
