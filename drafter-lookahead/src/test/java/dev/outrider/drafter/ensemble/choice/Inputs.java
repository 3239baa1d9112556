package dev.outrider.drafter.ensemble.choice;

import dev.outrider.drafter.ensemble.choice.VirtualDrafter.Script;
import dev.outrider.drafter.ensemble.choice.VirtualMachine.Costs;
import java.util.LinkedHashMap;
import java.util.Map;

/// Good and hostile drafters, and targets whose passes cost this or that.
final class Inputs {
    /// Tokens of a sequence that are copied, or not, before it changes.
    private static final int STRETCH = 32;

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
        targets.put("dear rows", costs(0.1, (rows, pass) -> cached(rows)));
        targets.put(
                "passes turn dear",
                costs(
                        0.05,
                        (rows, pass) ->
                                (pass > 300 && pass < 900 ? 3 : 1) * (1 + 0.05 * (rows - 1))));
        targets.put(
                "rows turn dear",
                costs(0.05, (rows, pass) -> 1 + (pass > 300 ? 0.9 : 0.03) * (rows - 1)));
        return targets;
    }

    /// Looks things up: right where the text copies, wrong elsewhere.
    static Script lookup() {
        return machine -> copies(machine) ? chain(0.95).right(machine) : 0;
    }

    /// A head: mostly right in prose, seldom where the text copies.
    static Script head() {
        return machine -> chain(copies(machine) ? 0.4 : 0.75).right(machine);
    }

    private static boolean copies(VirtualMachine machine) {
        return machine.written() / STRETCH % 2 == 1;
    }

    private static Script chain(double alpha) {
        return machine -> {
            int right = 0;
            while (right < ChoosingRun.MOST && machine.random().nextDouble() < alpha) {
                right++;
            }
            return right;
        };
    }

    /// A pass of the demo target, which lies in the processor's cache.
    private static double cached(int rows) {
        return new double[] {1, 1.2, 1.6, 1.9, 2.8, 3, 3.2, 3.2}[Math.min(8, rows) - 1]
                + 0.3 * Math.max(0, rows - 8);
    }

    /// What a pass costs by rows and number.
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
