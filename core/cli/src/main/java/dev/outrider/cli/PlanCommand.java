package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.model.SpeedupTheory;
import dev.outrider.engine.model.SpeedupTheory.ExpertTheory;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The command `outrider plan`: the theory's expectation of a drafter, before anything is run.
@Command(name = "plan")
final class PlanCommand extends Subcommand {
    private static final int MAX = 256;

    @Option(names = {"-a", "--alpha"})
    private Optional<Double> alpha = Optional.empty();

    @Option(names = {"-c", "--cost"})
    private Optional<Double> cost = Optional.empty();

    @Option(names = "--experts")
    private Optional<Integer> experts = Optional.empty();

    @Option(names = "--top-k", paramLabel = "<chosen>")
    private Optional<Integer> chosen = Optional.empty();

    @Option(names = "--rows", defaultValue = "9")
    private int rows;

    @Option(names = "--expert-share", paramLabel = "<share>")
    private Optional<Double> share = Optional.empty();

    @Option(names = "--max-length", defaultValue = "10")
    private int maxLength;

    /// Acceptance rate and cost of a drafter.
    private record Drafting(double alpha, double cost) {}

    @Override
    public Integer call() {
        require(maxLength >= 1 && maxLength <= MAX, "--max-length", maxLength, "1 to 256");
        var theory = theory();
        if (alpha.isPresent() != cost.isPresent() || alpha.isEmpty() && theory.isEmpty()) {
            throw wrong(
                    "Missing required options: '--alpha=<alpha>' and '--cost=<cost>', or '--experts=<experts>' and"
                            + " '--top-k=<chosen>'");
        }
        if (alpha.isPresent()) {
            plan(new Drafting(alpha.get(), cost.orElseThrow()), theory);
        }
        if (alpha.isPresent() && theory.isPresent()) {
            out().println();
        }
        theory.ifPresent(each -> out().print(table(each)));
        return ExitCode.OK;
    }

    private void plan(Drafting known, Optional<ExpertTheory> theory) {
        require(known.alpha >= 0 && known.alpha <= 1, "--alpha", known.alpha, "0 to 1");
        require(
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
        out().print(table.text());
        out().println(conclusion(known, theory, best));
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
        return theory.map(each -> each.speedup(known.alpha, length, known.cost, share()))
                .orElseGet(() -> SpeedupTheory.speedup(known.alpha, length, known.cost));
    }

    private void row(
            Columns table,
            Drafting known,
            Optional<ExpertTheory> theory,
            int length,
            boolean best) {
        table.row(
                length,
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

    /// Returns the theory of a target with experts; empty if the options describe none.
    private Optional<ExpertTheory> theory() {
        if (experts.isPresent() != chosen.isPresent() || share.isPresent() && chosen.isEmpty()) {
            throw wrong("--experts and --top-k are given together");
        }
        require(rows >= 1 && rows <= MAX, "--rows", rows, "1 to 256");
        return experts.map(count -> theory(count, chosen.orElseThrow()));
    }

    private ExpertTheory theory(int count, int active) {
        require(count >= 1, "--experts", count, "1 or more");
        require(active >= 1 && active <= count, "--top-k", active, "1 to " + count);
        require(share() >= 0 && share() <= 1, "--expert-share", share(), "0 to 1");
        return new ExpertTheory(count, active);
    }

    /// Returns the experts' share of a pass; 1 if it is not known.
    private double share() {
        return share.orElse(1.0);
    }

    /// Returns a table: active experts and cost of passes of one row and more.
    private String table(ExpertTheory theory) {
        var headings = List.of("rows", "experts", "t(n)/t(1)");
        int columns = share.isPresent() ? 3 : 2;
        var table = Columns.of(headings.subList(0, columns).toArray(String[]::new));
        for (int count = 1; count <= rows; count++) {
            var row =
                    List.of(
                            Integer.toString(count),
                            number(theory.active(count)),
                            number(theory.pass(count, share())));
            table.row(row.subList(0, columns).toArray(String[]::new));
        }
        return table.text();
    }

    private static String number(double value) {
        return Console.format("%.2f", value);
    }
}
