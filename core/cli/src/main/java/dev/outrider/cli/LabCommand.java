package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.lab.Asked;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.lab.Laboratory;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider lab`: other rules, lengths and trees from a recording.
@Command(name = "lab")
final class LabCommand extends Subcommand {
    private static final int DEEPEST = 64;
    private static final int MAX_ROWS = 1 << 16;

    @Parameters(paramLabel = "FOLDER")
    private Path folder = Path.of("");

    @Option(names = "--length", paramLabel = "K", split = ",")
    private List<Integer> lengths = List.of();

    @Option(names = "--tree", paramLabel = "WIDTHS")
    private List<String> trees = List.of("2,1", "4,2,1");

    @Option(names = "--rule", paramLabel = "NAME", split = ",")
    private List<String> rules = List.of();

    @Option(names = "--json")
    private boolean json;

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    @Override
    public Integer call() {
        lengths.forEach(LabCommand::requireLength);
        rules.forEach(context().plugins().all(ComponentKind.ACCEPTANCE_RULE)::require);
        var asked = new Asked(lengths, trees.stream().map(LabCommand::widths).toList(), rules);
        // Read on another thread while this one reads the results.
        var expected = ResultReader.run(folder);
        var recording = CompletableFuture.supplyAsync(() -> Recording.read(expected));
        var cell = OtherCostsReport.only(folder, "a recording is one's");
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
            out().print(shown(Laboratory.atOwnCosts(recording, own, asked)));
            out().flush();
            return ExitCode.OK;
        }
        return new Measurement(context())
                .print(
                        "costs",
                        watch ->
                                shown(
                                        new Laboratory(
                                                recording,
                                                new OtherCostsReport(context())
                                                        .costs(
                                                                costsOf.value().orElseThrow(),
                                                                cell,
                                                                watch),
                                                own,
                                                Optional.empty(),
                                                asked)));
    }

    private String shown(Laboratory laboratory) {
        var report = laboratory.report();
        return json ? Json.pretty(report) : PrintableText.of(LabTable.of(report));
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
