package dev.outrider.cli;

import dev.outrider.drafter.medusa.MedusaBench;
import dev.outrider.drafter.medusa.HeadPlan;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// The command `outrider bench-draft medusa`.
@Command(
        name = "medusa",
        description = {
            "Times a whole Medusa draft against a target pass of one row.",
            "",
            "Both run over random weights and take turns within one run; their ratio is what a"
                    + " draft costs."
        },
        footer = {
            "  outrider bench-draft medusa --shape tinyllama-1.1b --heads 4",
            "  outrider bench-draft medusa --shape tinyllama-1.1b --heads 4 --projection own"
        })
final class BenchMedusaCommand implements Callable<Integer> {
    private final Measurement measurement;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private DraftBenchOptions bench = new DraftBenchOptions();

    @Option(
            names = "--heads",
            defaultValue = "4",
            description = "Number of heads (default: ${DEFAULT-VALUE}).")
    private int heads;

    @Option(
            names = "--projection",
            defaultValue = "target",
            description =
                    "Whose vocabulary projection they use: ${COMPLETION-CANDIDATES} (default:"
                            + " ${DEFAULT-VALUE}).")
    private HeadPlan.Projection projection = HeadPlan.Projection.TARGET;

    @Option(
            names = "--ranks",
            defaultValue = "10",
            description = "Best tokens read of each head (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--turns",
            defaultValue = "30",
            description = "Times each side is measured (default: ${DEFAULT-VALUE}).")
    private int turns;

    @Inject
    BenchMedusaCommand(Measurement measurement) {
        this.measurement = measurement;
    }

    @Override
    public Integer call() {
        var request = request();
        return measurement.print(
                "bench-draft",
                turns,
                progress ->
                        text(
                                MedusaBench.run(
                                        request,
                                        () -> progress.next("measuring"),
                                        System::nanoTime)));
    }

    private String text(MedusaBench.Report report) {
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row    %9.3f ms
                  %d heads, %s projection %9.3f ms
                  draft / target pass       %9.3f
                """,
                bench.describe(turns),
                1e3 * report.targetSeconds(),
                heads,
                projection == HeadPlan.Projection.OWN ? "own   " : "target",
                1e3 * report.draftSeconds(),
                report.ratio());
    }

    private MedusaBench.Request request() {
        var shape = bench.decoder(spec);
        return ShapeOptions.request(
                spec,
                () ->
                        new MedusaBench.Request(
                                shape,
                                bench.precision(),
                                bench.threads(),
                                bench.context(),
                                heads,
                                projection,
                                ranks,
                                turns));
    }
}
