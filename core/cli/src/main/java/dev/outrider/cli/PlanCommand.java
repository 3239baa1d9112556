package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.theory.SpeedupTheory;
import jakarta.inject.Inject;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command `outrider plan`: what theory expects of a drafter, before anything is run.
@Command(
        name = "plan",
        description = {
            "Says what a drafter should gain, and the best draft length.",
            "",
            "For a drafter whose guesses are accepted with probability alpha and whose step costs c target passes:"
                    + " expected tokens and speedup for every draft length K.",
            "",
            "tokens = (1 - alpha^(K+1)) / (1 - alpha), the token after the draft included;"
                    + " speedup = tokens / (K c + t(K+1)/t(1)). Leviathan et al. 2023. A pass of more rows takes no longer,"
                    + " t(n) = t(1), unless the target has experts.",
            "",
            "With --experts and --top-k: different experts of a layer that n rows wake, E (1 - (1 - k/E)^n) if they choose at random,"
                    + " and with --expert-share s what such a pass costs, t(n)/t(1) = 1 - s + s woken/k."
        },
        footer = {
            "  outrider plan --alpha 0.8 --cost 0.05      a good drafter twenty times faster than its target",
            "  outrider plan --alpha 0.6 --cost 0.3       where drafting hardly pays",
            "  outrider plan -a 0.8 -c 0.05 --max-length 20",
            "  outrider plan --experts 8 --top-k 2 --rows 5                        what five rows wake",
            "  outrider plan -a 0.8 -c 0.05 --experts 8 --top-k 2 --expert-share 0.87   Mixtral 8x7B"
        })
final class PlanCommand implements Runnable {
    private static final int MOST = 256;

    private final Console console;

    @Spec private CommandSpec spec = CommandSpec.create();

    @ArgGroup(exclusive = false)
    private Optional<Drafting> drafting = Optional.empty();

    @ArgGroup(exclusive = false)
    private Optional<PlannedExperts> experts = Optional.empty();

    @Option(
            names = "--max-length",
            defaultValue = "10",
            description = "Greatest draft length to show, 1 to 256 (default: ${DEFAULT-VALUE}).")
    private int maxLength;

    /// What is known of a drafter.
    private static final class Drafting {
        @Option(
                names = {"-a", "--alpha"},
                required = true,
                description =
                        "Acceptance rate, 0 to 1: how often a guess is accepted where one is reached.")
        private double alpha;

        @Option(
                names = {"-c", "--cost"},
                required = true,
                description =
                        "Time of one draft step over that of one target pass of one row, 0 or more.")
        private double cost;
    }

    @Inject
    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        OptionValue.require(
                spec, maxLength >= 1 && maxLength <= MOST, "--max-length", maxLength, "1 to 256");
        experts.ifPresent(each -> each.check(spec));
        if (drafting.isEmpty()) {
            console.out()
                    .print(
                            experts.orElseThrow(() ->
                                            new ParameterException(
                                                    spec.commandLine(),
                                                    "Missing required options: '--alpha=<alpha>' and '--cost=<cost>', or '--experts=<experts>' and '--top-k=<chosen>'"))
                                    .table());
            return;
        }
        plan(drafting.get());
    }

    private void plan(Drafting known) {
        OptionValue.require(
                spec, known.alpha >= 0 && known.alpha <= 1, "--alpha", known.alpha, "0 to 1");
        OptionValue.require(
                spec,
                known.cost >= 0 && known.cost < Double.POSITIVE_INFINITY,
                "--cost",
                known.cost,
                "0 or more");
        int best = best(known);
        var table = Columns.of("K", "tokens", "speedup", "");
        for (int length = 1; length <= maxLength; length++) {
            row(table, known, length, length == best);
        }
        if (best > maxLength) {
            row(table, known, best, true);
        }
        console.out().print(table.text());
        console.out().println(conclusion(known, best));
        experts.ifPresent(each -> console.out().print("\n" + each.table()));
    }

    private int best(Drafting known) {
        if (experts.isEmpty()) {
            return SpeedupTheory.bestLength(known.alpha, known.cost, MOST);
        }
        int best = 0;
        double fastest = 1;
        for (int length = 1; length <= MOST; length++) {
            if (speedup(known, length) > fastest) {
                best = length;
                fastest = speedup(known, length);
            }
        }
        return best;
    }

    private double speedup(Drafting known, int length) {
        return experts.map(each ->
                        each.theory()
                                .speedup(known.alpha, length, known.cost, each.share()))
                .orElseGet(() -> SpeedupTheory.speedup(known.alpha, length, known.cost));
    }

    private void row(Columns table, Drafting known, int length, boolean best) {
        table.row(
                Integer.toString(length),
                number(SpeedupTheory.expectedTokens(known.alpha, length)),
                number(speedup(known, length)) + "x",
                best ? "best" : "");
    }

    private String conclusion(Drafting known, int best) {
        if (best == 0 && experts.isPresent()) {
            return "Drafting does not pay: the experts that guesses wake cost more than the guesses save.";
        }
        if (best == 0) {
            return "Drafting does not pay: alpha %s must exceed c %s for any gain."
                    .formatted(known.alpha, known.cost);
        }
        return "Best draft length %d: %sx, %s tokens a round."
                .formatted(
                        best,
                        number(speedup(known, best)),
                        number(SpeedupTheory.expectedTokens(known.alpha, best)));
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
