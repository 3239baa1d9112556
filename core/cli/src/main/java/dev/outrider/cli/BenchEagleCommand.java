package dev.outrider.cli;

import dev.outrider.drafter.eagle.EagleShapes;
import dev.outrider.nn.bench.FeatureBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.runtime.ElementType;

import jakarta.inject.Inject;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;

/// The command `outrider bench-draft eagle`.
@Command(
        name = "eagle",
        description = {
            "Times a chain of EAGLE draft steps against a target pass of one row.",
            "",
            "Both run over random weights and take turns within one run; a step's share of a pass"
                + " is c. The bound is what the bytes of both allow: a step reads one layer and a"
                + " whole vocabulary projection."
        },
        footer = {
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 1",
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary"
                    + " 8192"
        })
final class BenchEagleCommand implements Callable<Integer> {
    private final Console console;
    private final Interruption interruption;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--shape",
            defaultValue = "stories15m",
            description = "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
    private String shape = "";

    @Option(
            names = "--generation",
            defaultValue = "1",
            description = "1 for EAGLE-1 and EAGLE-2, 3 for EAGLE-3 (default: ${DEFAULT-VALUE}).")
    private int generation;

    @Option(
            names = "--draft-vocabulary",
            defaultValue = "0",
            description =
                    "Tokens of the head, 0 for all of the target's (default: ${DEFAULT-VALUE}).")
    private int draftVocabulary;

    @Option(
            names = "--length",
            defaultValue = "5",
            description = "Steps of a chain (default: ${DEFAULT-VALUE}).")
    private int length;

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
            description = "Rows already in the caches (default: ${DEFAULT-VALUE}).")
    private int context;

    @Option(
            names = "--turns",
            defaultValue = "20",
            description = "Times each side is measured (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Inject
    BenchEagleCommand(Console console, Interruption interruption) {
        this.console = console;
        this.interruption = interruption;
    }

    @Override
    public Integer call() {
        var request = request();
        FeatureBench.Report report;
        try (var progress = new Progress(console, "bench-draft", turns)) {
            report =
                    FeatureBench.run(
                            request,
                            () -> {
                                stopIfAsked();
                                progress.step("measuring");
                            },
                            System::nanoTime);
        } catch (CancellationException e) {
            console.err().println("Interrupted; times need every turn, so there are none to show.");
            return ExitCode.INTERRUPTED;
        }
        console.out().print(text(request, report));
        return ExitCode.OK;
    }

    private String text(FeatureBench.Request request, FeatureBench.Report report) {
        return String.format(
                Locale.ROOT,
                """
                %s, %s, %d threads, context %d, median of %d turns
                  target pass of one row      %9.3f ms
                  EAGLE-%d step, chain of %d    %9.3f ms, head of %d tokens
                  step / target pass, c       %9.3f
                  c by bytes alone            %9.3f
                """,
                shape,
                request.type().name().toLowerCase(Locale.ROOT),
                request.threads(),
                request.context(),
                request.turns(),
                1e3 * report.targetSeconds(),
                generation,
                request.length(),
                1e3 * report.stepSeconds(),
                request.fusion().headSize(),
                report.ratio(),
                report.bound());
    }

    // Between turns no native operation runs, so the process may end there.
    private void stopIfAsked() {
        if (interruption.requested()) {
            throw new CancellationException();
        }
    }

    private FeatureBench.Request request() {
        var shapes = NamedShapes.all();
        var found = shapes.get(shape.toLowerCase(Locale.ROOT));
        if (found == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--shape is %s, expected one of %s"
                            .formatted(shape, String.join(", ", shapes.keySet())));
        }
        try {
            return new FeatureBench.Request(
                    found,
                    EagleShapes.fusion(generation, found, draftVocabulary),
                    precision,
                    threads,
                    context,
                    length,
                    turns);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
