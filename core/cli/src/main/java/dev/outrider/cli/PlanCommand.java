package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.model.SpeedupTheory.ExpertTheory;
import dev.outrider.engine.model.SpeedupTheory;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private static final int MAX = 256;

    private final CommandContext context;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-a", "--alpha"},
            description =
                    "Acceptance rate, 0 to 1: how often a guess is accepted where one is reached.")
    private Optional<Double> alpha = Optional.empty();

    @Option(
            names = {"-c", "--cost"},
            description =
                    "Time of one draft step over that of one target pass of one row, 0 or more.")
    private Optional<Double> cost = Optional.empty();

    @Mixin private PlannedExperts experts = new PlannedExperts();

    @Option(
            names = "--max-length",
            defaultValue = "10",
            description = "Greatest draft length to show, 1 to 256 (default: ${DEFAULT-VALUE}).")
    private int maxLength;

    /// Acceptance rate and cost of a drafter.
    private record Drafting(double alpha, double cost) {}

    PlanCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public void run() {
        Options.require(
                spec, maxLength >= 1 && maxLength <= MAX, "--max-length", maxLength, "1 to 256");
        var theory = experts.theory(spec);
        if (alpha.isPresent() != cost.isPresent() || alpha.isEmpty() && theory.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "Missing required options: '--alpha=<alpha>' and '--cost=<cost>', or '--experts=<experts>' and"
                            + " '--top-k=<chosen>'");
        }
        if (alpha.isPresent()) {
            plan(new Drafting(alpha.get(), cost.orElseThrow()), theory);
        }
        if (alpha.isPresent() && theory.isPresent()) {
            context.out().println();
        }
        theory.ifPresent(each -> context.out().print(experts.table(each)));
    }

    private void plan(Drafting known, Optional<ExpertTheory> theory) {
        Options.require(
                spec, known.alpha >= 0 && known.alpha <= 1, "--alpha", known.alpha, "0 to 1");
        Options.require(
                spec,
                known.cost >= 0 && known.cost < Double.POSITIVE_INFINITY,
                "--cost",
                known.cost,
                "0 or more");
        int best = best(known, theory);
        var table = Columns.of("K", "tokens", "speedup", "");
        for (int length = 1; length <= maxLength; length++) {
            row(table, known, theory, length, length == best);
        }
        if (best > maxLength) {
            row(table, known, theory, best, true);
        }
        context.out().print(table.text());
        context.out().println(conclusion(known, theory, best));
    }

    private int best(Drafting known, Optional<ExpertTheory> theory) {
        if (theory.isEmpty()) {
            return SpeedupTheory.bestLength(known.alpha, known.cost, MAX);
        }
        int best = 0;
        double fastest = 1;
        for (int length = 1; length <= MAX; length++) {
            if (speedup(known, theory, length) > fastest) {
                best = length;
                fastest = speedup(known, theory, length);
            }
        }
        return best;
    }

    private double speedup(Drafting known, Optional<ExpertTheory> theory, int length) {
        return theory.map(each -> each.speedup(known.alpha, length, known.cost, experts.share()))
                .orElseGet(() -> SpeedupTheory.speedup(known.alpha, length, known.cost));
    }

    private void row(
            Columns table,
            Drafting known,
            Optional<ExpertTheory> theory,
            int length,
            boolean best) {
        table.row(
                Integer.toString(length),
                number(SpeedupTheory.expectedTokens(known.alpha, length)),
                number(speedup(known, theory, length)) + "x",
                best ? "best" : "");
    }

    private String conclusion(Drafting known, Optional<ExpertTheory> theory, int best) {
        if (best == 0 && theory.isPresent()) {
            return "Drafting does not pay: the experts that guesses wake cost more than the guesses save.";
        }
        if (best == 0) {
            return "Drafting does not pay: alpha %s must exceed c %s for any gain."
                    .formatted(known.alpha, known.cost);
        }
        return "Best draft length %d: %sx, %s tokens a round."
                .formatted(
                        best,
                        number(speedup(known, theory, best)),
                        number(SpeedupTheory.expectedTokens(known.alpha, best)));
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /// Options of `outrider plan` about a target with experts.
    static final class PlannedExperts {
        private static final int MAX = 256;

        @Option(names = "--experts", description = "Experts E of a layer of the target.")
        private Optional<Integer> experts = Optional.empty();

        @Option(
                names = "--top-k",
                paramLabel = "<chosen>",
                description = "How many of them a row wakes, 1 to E.")
        private Optional<Integer> chosen = Optional.empty();

        @Option(
                names = "--rows",
                defaultValue = "9",
                description =
                        "Show passes of up to so many rows, the root of the draft included, 1 to 256 (default: ${DEFAULT-VALUE}).")
        private int rows;

        @Option(
                names = "--expert-share",
                paramLabel = "<share>",
                description =
                        "The experts' share of a pass of one row, 0 to 1: bytes of k experts of every layer over all bytes that it reads."
                                + " Needed for t(n) and, with --alpha, for the speedup.")
        private Optional<Double> share = Optional.empty();

        /// Returns the theory of a target with experts; nothing if the options give none.
        Optional<ExpertTheory> theory(CommandSpec spec) {
            if (experts.isPresent() != chosen.isPresent()
                    || share.isPresent() && chosen.isEmpty()) {
                throw new ParameterException(
                        spec.commandLine(), "--experts and --top-k are given together");
            }
            Options.require(spec, rows >= 1 && rows <= MAX, "--rows", rows, "1 to 256");
            return experts.map(count -> theory(spec, count, chosen.orElseThrow()));
        }

        private ExpertTheory theory(CommandSpec spec, int count, int woken) {
            Options.require(spec, count >= 1, "--experts", count, "1 or more");
            Options.require(spec, woken >= 1 && woken <= count, "--top-k", woken, "1 to " + count);
            double part = share();
            Options.require(spec, part >= 0 && part <= 1, "--expert-share", part, "0 to 1");
            return new ExpertTheory(count, woken);
        }

        /// Returns the experts' share of a pass; 1 where it is not known.
        double share() {
            return share.orElse(1.0);
        }

        /// Returns a table: active experts and cost of passes of one row and more.
        String table(ExpertTheory theory) {
            var table =
                    share.isPresent()
                            ? Columns.of("rows", "experts", "t(n)/t(1)")
                            : Columns.of("rows", "experts");
            for (int count = 1; count <= rows; count++) {
                var woken = PlanCommand.number(theory.active(count));
                if (share.isPresent()) {
                    table.row(
                            Integer.toString(count),
                            woken,
                            PlanCommand.number(theory.pass(count, share())));
                } else {
                    table.row(Integer.toString(count), woken);
                }
            }
            return table.text();
        }
    }
}
