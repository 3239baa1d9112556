package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.VirtualDrafter.Script;
import dev.outrider.drafter.ensemble.VirtualMachine.Costs;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Prints the tables of docs/results/choosing.md.
class ChoosingTable {
    private static final int SEEDS = 5;

    @Test
    void lengths() {
        print("target", "drafter", "best K", "K = 4", "expected-gain", "ucb", "choice");
        Inputs.targets()
                .forEach((target, costs) ->
                        Inputs.drafters()
                                .forEach((drafter, script) -> row(target, costs, drafter, script)));
    }

    private static void row(String target, Costs costs, String drafter, Script script) {
        double plain = time(ChoosingRun.fixed(script, 0), costs);
        double[] fixed =
                IntStream.rangeClosed(0, ChoosingRun.MAX)
                        .mapToDouble(
                                length -> plain / time(ChoosingRun.fixed(script, length), costs))
                        .toArray();
        int best = 0;
        for (int length = 1; length < fixed.length; length++) {
            best = fixed[length] > fixed[best] ? length : best;
        }
        var others =
                List.of(
                        ChoosingRun.expectedGain(script),
                        ChoosingRun.ucb(script),
                        ChoosingRun.choice(script));
        var columns =
                others.stream().map(side -> "%.2f".formatted(plain / time(side, costs))).toList();
        print(
                target,
                drafter,
                "%.2f (%d)".formatted(fixed[best], best),
                "%.2f".formatted(fixed[4]),
                columns.get(0),
                columns.get(1),
                columns.get(2));
    }

    @Test
    void drafters() {
        print("target", "text", "head, K = 4", "lookup, K = 8", "choice");
        Inputs.targets()
                .forEach((target, costs) ->
                        Inputs.texts()
                                .forEach((text, copies) -> drafters(target, costs, text, copies)));
    }

    private static void drafters(
            String target, Costs costs, String text, Predicate<VirtualMachine> copies) {
        var head = Inputs.head(copies);
        var lookup = Inputs.lookup(copies);
        double plain = time(ChoosingRun.fixed(head, 0), costs);
        var sides =
                List.of(
                        ChoosingRun.fixed(head, 4),
                        ChoosingRun.fixed(lookup, 8),
                        ChoosingRun.choice(List.of(head, lookup), List.of(4, 8)));
        print(
                target,
                text,
                sides.stream()
                        .map(side -> "%.2f".formatted(plain / time(side, costs)))
                        .collect(Collectors.joining(" | ")));
    }

    private static double time(ChoosingRun.Side side, Costs costs) {
        return ChoosingRun.timePerToken(side, costs, SEEDS);
    }

    private static void print(String... cells) {
        System.out.println("| " + String.join(" | ", cells) + " |");
    }
}
