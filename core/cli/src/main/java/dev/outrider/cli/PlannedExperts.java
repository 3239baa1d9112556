package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.model.ExpertTheory;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// What `outrider plan` is told of a target's experts.
final class PlannedExperts {
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

    /// What the options say of a target with experts; nothing if they do not.
    Optional<ExpertTheory> theory(CommandSpec spec) {
        if (experts.isPresent() != chosen.isPresent() || share.isPresent() && chosen.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), "--experts and --top-k are given together");
        }
        OptionValue.require(spec, rows >= 1 && rows <= MAX, "--rows", rows, "1 to 256");
        return experts.map(count -> theory(spec, count, chosen.orElseThrow()));
    }

    private ExpertTheory theory(CommandSpec spec, int count, int woken) {
        OptionValue.require(spec, count >= 1, "--experts", count, "1 or more");
        OptionValue.require(spec, woken >= 1 && woken <= count, "--top-k", woken, "1 to " + count);
        double part = share();
        OptionValue.require(spec, part >= 0 && part <= 1, "--expert-share", part, "0 to 1");
        return new ExpertTheory(count, woken);
    }

    /// Where it is not known, experts are taken for all that a pass reads.
    double share() {
        return share.orElse(1.0);
    }

    /// What passes of one row and more wake and cost.
    String table(ExpertTheory theory) {
        var table =
                share.isPresent()
                        ? Columns.of("rows", "experts", "t(n)/t(1)")
                        : Columns.of("rows", "experts");
        for (int count = 1; count <= rows; count++) {
            var woken = PlanCommand.number(theory.woken(count));
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
