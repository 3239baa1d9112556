package dev.outrider.cli;

import dev.outrider.nn.bench.FeatureBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.runtime.ElementType;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// The options of commands that time a chain of draft steps of a layer that reads features, and what they do.
final class FeatureBenchOptions {
    @Option(
            names = "--shape",
            defaultValue = "stories15m",
            description = "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
    private String shape = "";

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

    /// Measures, prints and returns the exit code.
    ///
    /// @param drafter what the report calls a step's drafter
    /// @param fusion  the draft layer's input at the target's shape
    int run(
            String drafter,
            Function<DecoderConfig, FusionConfig> fusion,
            CommandSpec spec,
            Console console,
            Interruption interruption) {
        var request = request(fusion, spec);
        FeatureBench.Report report;
        try (var progress = new Progress(console, "bench-draft", turns)) {
            report =
                    FeatureBench.run(
                            request,
                            () -> {
                                stopIfAsked(interruption);
                                progress.step("measuring");
                            },
                            System::nanoTime);
        } catch (CancellationException e) {
            console.err().println("Interrupted; times need every turn, so there are none to show.");
            return ExitCode.INTERRUPTED;
        }
        console.out().print(text(drafter, request, report));
        return ExitCode.OK;
    }

    private String text(String drafter, FeatureBench.Request request, FeatureBench.Report report) {
        return String.format(
                Locale.ROOT,
                """
                %s, %s, %d threads, context %d, median of %d turns
                  target pass of one row      %9.3f ms
                  %s step, chain of %d       %9.3f ms, head of %d tokens
                  step / target pass, c       %9.3f
                  c by bytes alone            %9.3f
                """,
                shape,
                request.type().name().toLowerCase(Locale.ROOT),
                request.threads(),
                request.context(),
                request.turns(),
                1e3 * report.targetSeconds(),
                drafter,
                request.length(),
                1e3 * report.stepSeconds(),
                request.fusion().headSize(),
                report.ratio(),
                report.bound());
    }

    // Between turns no native operation runs, so the process may end there.
    private static void stopIfAsked(Interruption interruption) {
        if (interruption.requested()) {
            throw new CancellationException();
        }
    }

    private FeatureBench.Request request(
            Function<DecoderConfig, FusionConfig> fusion, CommandSpec spec) {
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
                    found, fusion.apply(found), precision, threads, context, length, turns);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
