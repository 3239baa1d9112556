package dev.outrider.cli;

import dev.outrider.common.PrintableText;
import dev.outrider.engine.plugins.ComponentKind;
import dev.outrider.experiment.costs.MeasuredCosts;
import dev.outrider.experiment.lab.Asked;
import dev.outrider.experiment.lab.ForeignLaboratory;
import dev.outrider.experiment.lab.ForeignRounds;
import dev.outrider.experiment.lab.LabReport;
import dev.outrider.experiment.lab.LabTable;
import dev.outrider.experiment.lab.Laboratory;
import dev.outrider.experiment.lab.Recording;
import dev.outrider.experiment.results.Json;
import dev.outrider.experiment.results.ResultReader;
import dev.outrider.experiment.results.Results.Cell;
import dev.outrider.spi.error.ErrorCode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
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
    private static final long MAX_GUESSES = 1 << 25;

    @Parameters(paramLabel = "FOLDER", arity = "0..1")
    private Optional<Path> folder = Optional.empty();

    @Option(names = "--traces", paramLabel = "FILE")
    private Optional<Path> traces = Optional.empty();

    @Option(names = "--drafter", paramLabel = "NAME")
    private Optional<String> drafter = Optional.empty();

    @Option(names = "--length", paramLabel = "K", split = ",")
    private List<Integer> lengths = List.of();

    @Option(names = "--tree", paramLabel = "WIDTHS")
    private List<String> trees = List.of();

    @Option(names = "--rule", paramLabel = "NAME", split = ",")
    private List<String> rules = List.of();

    @Option(names = "--json")
    private boolean json;

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    @Override
    public Integer call() {
        lengths.forEach(LabCommand::requireLength);
        rules.forEach(context().plugins().all(ComponentKind.ACCEPTANCE_RULE)::require);
        var shapes = trees.stream().map(LabCommand::widths).toList();
        var asked =
                new Asked(lengths, shapes.isEmpty() ? Asked.everything().trees() : shapes, rules);
        if (traces.isPresent()) {
            return foreign(traces.get(), shapes, asked);
        }
        require(
                drafter.isEmpty(),
                "--drafter without --traces",
                "A recording has drafters of its own.");
        require(
                folder.isPresent(),
                "FOLDER is missing",
                "Name results of 'outrider bench --record', or --traces FILE.");
        var results = folder.orElseThrow();
        // Read on another thread at the same time as the results.
        var expected = ResultReader.run(results);
        var recording = CompletableFuture.supplyAsync(() -> Recording.read(expected));
        var cell = OtherCostsReport.only(results, "a recording is one's");
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
            return print(Laboratory.atOwnCosts(recording, own, asked).report());
        }
        var costs = new OtherCostsReport(context()).costs(costsOf.value().get(), Optional.of(cell));
        return print(new Laboratory(recording, costs, own, Optional.empty(), asked).report());
    }

    private int print(LabReport report) {
        out().print(json ? Json.pretty(report) : PrintableText.of(LabTable.of(report)));
        out().flush();
        return ExitCode.OK;
    }

    private int foreign(Path file, List<List<Integer>> shapes, Asked asked) {
        require(
                folder.isEmpty() && costsOf.value().isPresent(),
                folder.isPresent() ? "both FOLDER and --traces" : "--traces without --costs-of",
                "Give --traces FILE --costs-of COSTS: rounds of another engine have no times.");
        var rounds = ForeignRounds.read(file);
        int longest = rounds.drafted();
        var widths = shapes.isEmpty() ? Collections.nCopies(longest, 1) : shapes.getFirst();
        require(
                shapes.size() <= 1,
                "--tree is given %d times".formatted(shapes.size()),
                "Give the one that the engine drafts, such as --tree 1,1,1 for a chain of 3.");
        require(
                longest <= widths.size(),
                "--tree is %s, and rounds in '%s' have %d guesses".formatted(trees, file, longest),
                "Give the one that the engine drafts, such as --tree 1,1,1 for a chain of 3.");
        long tokens = rounds.tokens();
        require(
                tokens * widths.size() <= MAX_GUESSES,
                "'%s' has %d tokens, and drafts of %d levels"
                        .formatted(file, tokens, widths.size()),
                "Give at most %d tokens times levels.".formatted(MAX_GUESSES));
        var costs = new OtherCostsReport(context()).costs(costsOf.value().get(), Optional.empty());
        var known = costs.drafters().keySet();
        var only = known.stream().filter(_ -> known.size() == 1).findFirst();
        var named = drafter.or(() -> only);
        require(
                named.map(known::contains).orElse(known.isEmpty()),
                "--drafter is %s, and the costs have %s".formatted(named.orElse("missing"), known),
                "Name the one whose drafts take as long as the engine's.");
        return print(new ForeignLaboratory(rounds, widths, costs, named, asked).report());
    }

    private static void require(boolean right, String problem, String remedy) {
        if (!right) {
            throw ErrorCode.USAGE.error(problem, remedy);
        }
    }

    private static void requireLength(int length) {
        require(
                length >= 1 && length <= DEEPEST,
                "--length is %d".formatted(length),
                "Give numbers from 1 to %d, such as --length 2,4,8.".formatted(DEEPEST));
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
            // Reported below.
        }
        throw ErrorCode.USAGE.error(
                "--tree is '%s'".formatted(text),
                "Give the children of a node at each level, positive and not more than %d nodes in all, such as 4,2,1."
                        .formatted(MAX_ROWS - 1));
    }
}
