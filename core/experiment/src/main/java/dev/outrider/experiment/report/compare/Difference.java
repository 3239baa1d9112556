package dev.outrider.experiment.report.compare;

import dev.outrider.experiment.report.SideDetails;
import dev.outrider.experiment.stats.Interval;

/// One variant in both results.
///
/// @param label   what to call it
/// @param first   its numbers in the first results
/// @param second  and in the second
/// @param prompts prompts that both measured
/// @param speedup speedup in the second less that in the first on those prompts, with its 95 % interval
public record Difference(
        String label, SideDetails first, SideDetails second, int prompts, Interval speedup) {
    /// What the interval says.
    public String verdict() {
        if (speedup.low() > 0) {
            return "second faster";
        }
        return speedup.high() < 0 ? "first faster" : "no difference shown";
    }
}
