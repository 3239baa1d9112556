package dev.outrider.cli;

import dev.outrider.experiment.report.ComparisonFiles;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.report.TrainingFiles;
import dev.outrider.experiment.report.chart.TrainingCurve;
import dev.outrider.experiment.results.ResultReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command `outrider report`.
@Command(
        name = "report",
        description = {
            "Makes a page of results: table, drawings, exactness, provenance.",
            "",
            "DIR holds the results of 'outrider bench', of which the newest run counts, or of a sweep, or folders that do. Writes report.html, one file that"
                    + " needs no network, and beside it the folder report/ with every drawing as SVG, every table as CSV, and"
                    + " report.md.",
            "",
            "Of a folder that 'outrider train' writes, also while it is running, it draws the curves.",
            "",
            "With --costs-of it also says what the same rounds would give at other costs: which variants pay there, which change places and why.",
            "",
            "Of two folders it makes comparison.html: every variant that both have, paired by prompt, the difference of its"
                    + " speedups with its interval. Results that say nothing about one another are refused."
        },
        footer = {
            "  outrider report results/quickstart",
            "  outrider report results --out /tmp/report",
            "  outrider report results/quickstart --costs-of tinyllama-1.1b",
            "  outrider report models/demo-eagle3 --out /tmp/report",
            "  outrider report results/quickstart/20260801T120000Z results/quickstart --out /tmp/report"
        })
final class ReportCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(
            paramLabel = "DIR",
            arity = "1..2",
            description =
                    "Folder of results, such as results/quickstart, or of a training run; two of results are compared.")
    private List<Path> results = List.of();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the report goes (default: the last folder of results).")
    private Optional<Path> out = Optional.empty();

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    @Spec private CommandSpec spec = CommandSpec.create();

    ReportCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path only = results.getFirst();
        if (costsOf.value().isPresent()) {
            return atOtherCosts(only, costsOf.value().get());
        }
        if (results.size() == 1 && TrainingCurve.isIn(only)) {
            context.out().println(TrainingFiles.write(only, out.orElse(only)));
            return ExitCode.OK;
        }
        Path to = out.orElseGet(() -> ResultReader.run(results.getLast()));
        context.out().println(results.size() == 1 ? report(to) : comparison(to));
        return ExitCode.OK;
    }

    private int atOtherCosts(Path only, String place) {
        Options.require(spec, results.size() == 1, "DIR", results, "one folder with --costs-of");
        return new OtherCostsReport(context)
                .write(only, place, out.orElseGet(() -> ResultReader.run(only)));
    }

    private Path report(Path to) {
        return ReportFiles.write(results.getFirst(), to, Optional.empty(), Optional.empty()).page();
    }

    private Path comparison(Path to) {
        var files = ComparisonFiles.write(results.getFirst(), results.getLast(), to);
        files.warnings().forEach(warning -> context.err().println("warning: " + warning));
        return files.page();
    }
}
