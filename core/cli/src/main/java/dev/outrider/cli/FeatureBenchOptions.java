package dev.outrider.cli;

import dev.outrider.drafting.bench.FeatureBench;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FusionConfig;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The options of commands that time a chain of draft steps of a layer that reads features, and what they do.
final class FeatureBenchOptions {
    @Mixin private DraftBenchOptions bench = new DraftBenchOptions();

    @Option(
            names = "--length",
            defaultValue = "5",
            description = "Steps of a chain (default: ${DEFAULT-VALUE}).")
    private int length;

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
            Measurement measurement) {
        var request = request(fusion, spec);
        return measurement.print(
                "bench-draft",
                turns,
                progress ->
                        text(
                                drafter,
                                request,
                                FeatureBench.run(
                                        request,
                                        () -> progress.next("measuring"),
                                        System::nanoTime)));
    }

    private String text(String drafter, FeatureBench.Request request, FeatureBench.Report report) {
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row      %9.3f ms
                  %s step, chain of %d       %9.3f ms, head of %d tokens
                  step / target pass, c       %9.3f
                  c by bytes alone            %9.3f
                """,
                bench.describe(turns),
                1e3 * report.targetSeconds(),
                drafter,
                request.length(),
                1e3 * report.stepSeconds(),
                request.fusion().headSize(),
                report.ratio(),
                report.bound());
    }

    private FeatureBench.Request request(
            Function<DecoderConfig, FusionConfig> fusion, CommandSpec spec) {
        var shape = bench.decoder(spec);
        return ShapeOptions.request(
                spec,
                () ->
                        new FeatureBench.Request(
                                shape,
                                fusion.apply(shape),
                                bench.precision(),
                                bench.threads(),
                                bench.context(),
                                length,
                                turns));
    }
}
