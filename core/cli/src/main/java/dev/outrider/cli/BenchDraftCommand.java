package dev.outrider.cli;

import dev.outrider.drafter.medusa.MedusaBench;
import dev.outrider.nn.bench.NamedShapes;
import dev.outrider.nn.heads.HeadPlan;
import dev.outrider.nn.runtime.ElementType;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider bench-draft`.
@Command(
        name = "bench-draft",
        description = "Times drafts against target passes over random weights of a named shape.",
        subcommands = {
            BenchDraftCommand.Medusa.class,
            BenchEagleCommand.class,
            BenchMtpCommand.class
        },
        footer = {
            "  outrider bench-draft medusa --shape tinyllama-1.1b --heads 4",
            "  outrider bench-draft eagle --shape tinyllama-1.1b --generation 3 --draft-vocabulary"
                    + " 8192",
            "  outrider bench-draft mtp --shape tinyllama-1.1b"
        })
final class BenchDraftCommand implements Runnable {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Inject
    BenchDraftCommand() {}

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "Missing required subcommand: "
                        + String.join(" or ", spec.commandLine().getSubcommands().keySet()));
    }

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
    static final class Medusa implements Callable<Integer> {
        private final Console console;
        private final Interruption interruption;

        @Spec private CommandSpec spec = CommandSpec.create();

        @Option(
                names = "--shape",
                defaultValue = "stories15m",
                description =
                        "Name of a shape (default: ${DEFAULT-VALUE}); a wrong one lists them.")
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
                description = "Rows already in the target's cache (default: ${DEFAULT-VALUE}).")
        private int context;

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
        Medusa(Console console, Interruption interruption) {
            this.console = console;
            this.interruption = interruption;
        }

        @Override
        public Integer call() {
            var request = request();
            MedusaBench.Report report;
            try (var progress = new Progress(console, "bench-draft", turns)) {
                report =
                        MedusaBench.run(
                                request,
                                () -> {
                                    stopIfAsked();
                                    progress.step("measuring");
                                },
                                System::nanoTime);
            } catch (CancellationException e) {
                console.err()
                        .println("Interrupted; times need every turn, so there are none to show.");
                return ExitCode.INTERRUPTED;
            }
            console.out().print(text(request, report));
            return ExitCode.OK;
        }

        private String text(MedusaBench.Request request, MedusaBench.Report report) {
            return String.format(
                    Locale.ROOT,
                    """
                    %s, %s, %d threads, context %d, median of %d turns
                      target pass of one row    %9.3f ms
                      %d heads, %s projection %9.3f ms
                      draft / target pass       %9.3f
                    """,
                    shape,
                    request.type().name().toLowerCase(Locale.ROOT),
                    request.threads(),
                    request.context(),
                    request.turns(),
                    1e3 * report.targetSeconds(),
                    request.heads(),
                    request.projection() == HeadPlan.Projection.OWN ? "own   " : "target",
                    1e3 * report.draftSeconds(),
                    report.ratio());
        }

        // Between turns no native operation runs, so the process may end there.
        private void stopIfAsked() {
            if (interruption.requested()) {
                throw new CancellationException();
            }
        }

        private MedusaBench.Request request() {
            var shapes = NamedShapes.all();
            var found = shapes.get(shape.toLowerCase(Locale.ROOT));
            if (found == null) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--shape is %s, expected one of %s"
                                .formatted(shape, String.join(", ", shapes.keySet())));
            }
            try {
                return new MedusaBench.Request(
                        found, precision, threads, context, heads, projection, ranks, turns);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
        }
    }
}
