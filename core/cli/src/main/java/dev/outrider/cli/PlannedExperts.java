package dev.outrider.cli;

import dev.outrider.common.Columns;
import dev.outrider.engine.theory.ExpertTheory;
import java.util.OptionalDouble;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// What `outrider plan` is told of a target's experts.
final class PlannedExperts {
    private static final int MOST = 256;

    @Option(
            names = "--experts",
            required = true,
            description = "Experts E of a layer of the target.")
    private int experts;

    @Option(
            names = "--top-k",
            required = true,
            paramLabel = "<chosen>",
            description = "How many of them a row wakes, 1 to E.")
    private int chosen;

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
    private OptionalDouble share = OptionalDouble.empty();

    void check(CommandSpec spec) {
        OptionValue.require(spec, experts >= 1, "--experts", experts, "1 or more");
        OptionValue.require(
                spec, chosen >= 1 && chosen <= experts, "--top-k", chosen, "1 to " + experts);
        OptionValue.require(spec, rows >= 1 && rows <= MOST, "--rows", rows, "1 to 256");
        share.ifPresent(each ->
                OptionValue.require(
                        spec, each >= 0 && each <= 1, "--expert-share", each, "0 to 1"));
    }

    ExpertTheory theory() {
        return new ExpertTheory(experts, chosen);
    }

    /// Where it is not known, experts are taken for all that a pass reads.
    double share() {
        return share.orElse(1);
    }

    /// What passes of one row and more wake and cost.
    String table() {
        var table =
                share.isPresent()
                        ? Columns.of("rows", "experts", "t(n)/t(1)")
                        : Columns.of("rows", "experts");
        for (int count = 1; count <= rows; count++) {
            var woken = PlanCommand.number(theory().woken(count));
            if (share.isPresent()) {
                table.row(
                        Integer.toString(count),
                        woken,
                        PlanCommand.number(theory().pass(count, share())));
            } else {
                table.row(Integer.toString(count), woken);
            }
        }
        return table.text();
    }
}
