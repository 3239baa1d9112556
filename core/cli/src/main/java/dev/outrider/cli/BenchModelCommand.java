package dev.outrider.cli;

import dev.outrider.experiment.report.MeasuredDrafts;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.runtime.ElementType;
import jakarta.inject.Inject;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider bench-model`: how long a target pass takes against what the memory allows.
@Command(
        name = "bench-model",
        description = {
            "Times target passes against the bound of the memory.",
            "",
            "Runs passes of several numbers of rows over random weights of a named shape, and reads memory between"
                    + " them. A pass cannot be faster than its bytes over the bandwidth; the table says how close it"
                    + " comes, and what verifying n rows costs against one."
        },
        footer = {
            "  outrider bench-model --shape tinyllama-1.1b --threads 2",
            "  outrider bench-model --shape stories15m --precision f32 --json",
            "  outrider bench-model --shape tinyllama-1.1b --drafts-of results/lookahead-sweep"
        })
final class BenchModelCommand implements Callable<Integer> {
    private final Console console;
    private final Interruption interruption;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--shape",
            defaultValue = "stories15m",
            description = "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
    private String shape = "";

    @Option(
            names = "--precision",
            defaultValue = "bf16",
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private ElementType precision = ElementType.BF16;

    @Option(
            names = "--threads",
            defaultValue = "2",
            description = "Threads of one operation (default: ${DEFAULT-VALUE}).")
    private int threads;

    @Option(
            names = "--context",
            defaultValue = "128",
            description = "Rows already in the cache (default: ${DEFAULT-VALUE}).")
    private int context;

    @Option(
            names = "--rows",
            split = ",",
            defaultValue = "1,2,4,8,16",
            paramLabel = "N",
            description = "Rows of a pass (default: ${DEFAULT-VALUE}).")
    private List<Integer> rows = List.of();

    @Option(
            names = "--drafts-of",
            paramLabel = "FOLDER",
            description =
                    "Results of a comparison: also says what each variant's drafts would gain at this shape,"
                            + " and times their numbers of rows in place of --rows.")
    private Optional<Path> draftsOf = Optional.empty();

    @Option(
            names = "--turns",
            defaultValue = "5",
            description = "Times each number of rows has its turn (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Option(
            names = "--repeats",
            defaultValue = "5",
            description = "Passes in a turn (default: ${DEFAULT-VALUE}).")
    private int repeats;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Inject
    BenchModelCommand(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        var drafts = draftsOf.map(folder -> new DraftsAtShape(MeasuredDrafts.read(folder)));
        var request = request(drafts.map(DraftsAtShape::rows).orElse(rows));
        try (var progress = new Progress(console, "bench-model", turns + 1L)) {
            var report =
                    ModelBench.run(
                            request,
                            (done, _, what) -> {
                                stopIfAsked();
                                progress.at(done, what);
                            },
                            System::nanoTime);
            progress.close();
            console.out().print(json ? report.toJson() + "\n" : report.toTable());
            if (!json && drafts.isPresent()) {
                console.out().print(drafts.get().table(report));
            }
        } catch (CancellationException e) {
            console.err().println("Interrupted; times need every turn, so there are none to show.");
            return ExitCode.INTERRUPTED;
        }
        return ExitCode.OK;
    }

    // Between turns no native operation runs, so the process may end there.
    private void stopIfAsked() {
        if (interruption.requested()) {
            throw new CancellationException();
        }
    }

    private ModelBench.Request request(List<Integer> counts) {
        var shapes = NamedShapes.all();
        var name = shape.toLowerCase(Locale.ROOT);
        var found = shapes.get(name);
        if (found == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--shape is %s, expected one of %s"
                            .formatted(shape, String.join(", ", shapes.keySet())));
        }
        try {
            return new ModelBench.Request(
                    name, found, precision, threads, context, counts, turns, repeats);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
