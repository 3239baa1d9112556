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
@Command(name = "report")
final class ReportCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(paramLabel = "DIR", arity = "1..2")
    private List<Path> results = List.of();

    @Option(names = "--out", paramLabel = "DIR")
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
        return ReportFiles.write(results.getFirst(), to).page();
    }

    private Path comparison(Path to) {
        var files = ComparisonFiles.write(results.getFirst(), results.getLast(), to);
        files.warnings().forEach(warning -> context.err().println("warning: " + warning));
        return files.page();
    }
}
