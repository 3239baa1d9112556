package dev.outrider.cli;

import dev.outrider.experiment.report.ComparisonFiles;
import dev.outrider.experiment.report.ReportFiles;
import dev.outrider.experiment.report.TrainingFiles;
import dev.outrider.experiment.report.chart.TrainingCurve;
import dev.outrider.experiment.results.ResultReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command `outrider report`.
@Command(name = "report")
final class ReportCommand extends Subcommand {
    @Parameters(paramLabel = "DIR", arity = "1..2")
    private List<Path> results = List.of();

    @Option(names = "--out", paramLabel = "DIR")
    private Optional<Path> out = Optional.empty();

    @Mixin private Options.CostsOfOption costsOf = new Options.CostsOfOption();

    @Override
    public Integer call() {
        Path only = results.getFirst();
        if (costsOf.value().isPresent()) {
            return atOtherCosts(only, costsOf.value().get());
        }
        if (results.size() == 1 && TrainingCurve.isIn(only)) {
            out().println(TrainingFiles.write(only, out.orElse(only)));
            return ExitCode.OK;
        }
        Path to = out.orElseGet(() -> ResultReader.run(results.getLast()));
        out().println(results.size() == 1 ? report(to) : comparison(to));
        return ExitCode.OK;
    }

    private int atOtherCosts(Path only, String place) {
        require(results.size() == 1, "DIR", results, "one folder with --costs-of");
        return new OtherCostsReport(context())
                .write(only, place, out.orElseGet(() -> ResultReader.run(only)));
    }

    private Path report(Path to) {
        return ReportFiles.write(results.getFirst(), to, Optional.empty(), Optional.empty()).page();
    }

    private Path comparison(Path to) {
        var files = ComparisonFiles.write(results.getFirst(), results.getLast(), to);
        files.warnings().forEach(warning -> err().println("warning: " + warning));
        return files.page();
    }
}
