package dev.outrider.cli;

import dev.outrider.experiment.report.output.ReportFiles;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider report`.
@Command(
        name = "report",
        description = {
            "Makes a page of results: table, drawings, exactness, provenance.",
            "",
            "DIR holds the results of 'outrider bench' or of a sweep, or folders that do. Writes report.html, one file that"
                    + " needs no network, and beside it the folder report/ with every drawing as SVG, every table as CSV, and"
                    + " report.md."
        },
        footer = {
            "  outrider report results/quickstart",
            "  outrider report results --out /tmp/report"
        })
final class ReportCommand implements Callable<Integer> {
    private final Console console;

    @Parameters(paramLabel = "DIR", description = "Folder of results, such as results/quickstart.")
    private Path results = Path.of("");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the report goes (default: the folder of the results).")
    private Optional<Path> out = Optional.empty();

    @Inject
    ReportCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        var files = ReportFiles.write(results, out.orElse(results));
        console.out().println(files.page());
        return ExitCode.OK;
    }
}
