package dev.outrider.experiment.report.compare;

import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.SideResult;

/// One variant in both results.
///
/// @param label   what to call it
/// @param first   its numbers in the first results
/// @param second  and in the second
/// @param prompts prompts that both measured
/// @param speedup speedup in the second less that in the first on those prompts, with its 95 % interval
public record Difference(
        String label, SideResult first, SideResult second, int prompts, Interval speedup) {
    /// Fewest prompts that can show a difference: five that agree do so by chance with probability 1/16, six with 1/32.
    private static final int MIN_PROMPTS = 6;

    /// What the interval says.
    public String verdict() {
        if (prompts < MIN_PROMPTS) {
            return "fewer than %d prompts".formatted(MIN_PROMPTS);
        }
        if (speedup.least() > 0) {
            return "second faster";
        }
        return speedup.most() < 0 ? "first faster" : "no difference shown";
    }
}
