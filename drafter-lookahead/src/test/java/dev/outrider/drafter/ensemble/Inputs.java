package dev.outrider.drafter.ensemble;

import dev.outrider.drafter.ensemble.VirtualDrafter.Script;
import dev.outrider.drafter.ensemble.VirtualMachine.Costs;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;

/// Drafters and targets with given acceptance and costs, difficult cases included.
final class Inputs {
    private Inputs() {}

    /// Drafters by name.
    static Map<String, Script> drafters() {
        var drafters = new LinkedHashMap<String, Script>();
        drafters.put("always wrong", _ -> 0);
        drafters.put(
                "right in every other round",
                machine -> machine.round() % 2 == 0 ? Integer.MAX_VALUE : 0);
        drafters.put("right only at first", machine -> machine.round() < 8 ? Integer.MAX_VALUE : 0);
        drafters.put("right in 15 %", chain(0.15));
        drafters.put("right in 50 %", chain(0.5));
        drafters.put("right in 70 %", chain(0.7));
        drafters.put("right in 85 %", chain(0.85));
        drafters.put("right in 95 %", chain(0.95));
        return drafters;
    }

    /// Targets by name.
    static Map<String, Costs> targets() {
        var targets = new LinkedHashMap<String, Costs>();
        targets.put("cheap rows", costs(0.05, (rows, pass) -> 1 + 0.03 * (rows - 1)));
        targets.put("expensive rows", costs(0.1, (rows, pass) -> cached(rows)));
        targets.put(
                "passes become expensive",
                costs(
                        0.05,
                        (rows, pass) ->
                                (pass > 300 && pass < 900 ? 3 : 1) * (1 + 0.05 * (rows - 1))));
        targets.put(
                "rows become expensive",
                costs(0.05, (rows, pass) -> 1 + (pass > 300 ? 0.9 : 0.03) * (rows - 1)));
        return targets;
    }

    /// Returns a drafter by name.
    static Script drafter(String name) {
        return Objects.requireNonNull(drafters().get(name));
    }

    /// Returns a target by name.
    static Costs target(String name) {
        return Objects.requireNonNull(targets().get(name));
    }

    /// Positions at which the text copies, by name.
    static Map<String, Predicate<VirtualMachine>> texts() {
        var texts = new LinkedHashMap<String, Predicate<VirtualMachine>>();
        texts.put("every other text copies", machine -> machine.sequence() % 2 == 0);
        texts.put("every other 64 tokens", machine -> machine.written() / 64 % 2 == 1);
        texts.put("every other 16 tokens", machine -> machine.written() / 16 % 2 == 1);
        texts.put("no text copies", _ -> false);
        return texts;
    }

    /// A lookup: right where the text copies, wrong elsewhere.
    static Script lookup(Predicate<VirtualMachine> copies) {
        return machine -> copies.test(machine) ? chain(0.95).right(machine) : 0;
    }

    /// A head: mostly right in prose, less often where the text copies.
    static Script head(Predicate<VirtualMachine> copies) {
        return machine -> chain(copies.test(machine) ? 0.5 : 0.8).right(machine);
    }

    private static Script chain(double alpha) {
        return machine -> {
            int right = 0;
            while (right < ChoosingRun.MAX && machine.random().nextDouble() < alpha) {
                right++;
            }
            return right;
        };
    }

    /// The cost of a pass of the demo target, which is in the processor's cache.
    private static double cached(int rows) {
        return new double[] {1, 1.2, 1.6, 1.9, 2.8, 3, 3.2, 3.2}[Math.min(8, rows) - 1]
                + 0.3 * Math.max(0, rows - 8);
    }

    /// The cost of a pass by rows and index.
    private interface Passes {
        double pass(int rows, int pass);
    }

    private static Costs costs(double guess, Passes passes) {
        return new Costs() {
            @Override
            public double pass(int rows, int pass) {
                return passes.pass(rows, pass);
            }

            @Override
            public double guess() {
                return guess;
            }
        };
    }
}
