package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.theory.SpeedupTheory;
import jakarta.inject.Inject;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
                    + " speedup = tokens / (K c + 1). Leviathan et al. 2023."
        },
        footer = {
            "  outrider plan --alpha 0.8 --cost 0.05      a good drafter twenty times faster than its target",
            "  outrider plan --alpha 0.6 --cost 0.3       where drafting hardly pays",
            "  outrider plan -a 0.8 -c 0.05 --max-length 20"
        })
final class PlanCommand implements Runnable {
    private static final int MOST = 256;

    private final Console console;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-a", "--alpha"},
            required = true,
            description =
                    "Acceptance rate, 0 to 1: how often a guess is accepted where one is reached.")
    private double alpha;

    @Option(
            names = {"-c", "--cost"},
            required = true,
            description = "Time of one draft step over that of one target pass, 0 or more.")
    private double cost;

    @Option(
            names = "--max-length",
            defaultValue = "10",
            description = "Greatest draft length to show, 1 to 256 (default: ${DEFAULT-VALUE}).")
    private int maxLength;

    @Inject
    PlanCommand(Console console) {
        this.console = console;
    }

    @Override
    public void run() {
        OptionValue.require(spec, alpha >= 0 && alpha <= 1, "--alpha", alpha, "0 to 1");
        OptionValue.require(
                spec, cost >= 0 && cost < Double.POSITIVE_INFINITY, "--cost", cost, "0 or more");
        OptionValue.require(
                spec, maxLength >= 1 && maxLength <= MOST, "--max-length", maxLength, "1 to 256");
        int best = SpeedupTheory.bestLength(alpha, cost, MOST);
        var table = Columns.of("K", "tokens", "speedup", "");
        for (int length = 1; length <= maxLength; length++) {
            row(table, length, length == best);
        }
        if (best > maxLength) {
            row(table, best, true);
        }
        console.out().print(table.text());
        console.out().println(conclusion(best));
    }

    private void row(Columns table, int length, boolean best) {
        table.row(
                Integer.toString(length),
                number(SpeedupTheory.expectedTokens(alpha, length)),
                number(SpeedupTheory.speedup(alpha, length, cost)) + "x",
                best ? "best" : "");
    }

    private String conclusion(int best) {
        if (best == 0) {
            return "Drafting does not pay: alpha %s must exceed c %s for any gain."
                    .formatted(alpha, cost);
        }
        return "Best draft length %d: %sx, %s tokens a round."
                .formatted(
                        best,
                        number(SpeedupTheory.speedup(alpha, best, cost)),
                        number(SpeedupTheory.expectedTokens(alpha, best)));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
