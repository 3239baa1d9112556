package dev.outrider.experiment.stats;

import dev.outrider.common.Ticker;
import dev.outrider.experiment.run.ComparisonResult;
import dev.outrider.experiment.run.StoppingRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A comparison that continues until the fastest variant is known, all prompts are measured, or the time is over. The first interim
/// analysis is after a first number of groups of prompts; each further one when there are half as many groups again. The number of
/// analyses is fixed before the first, and each gets an equal share of the chance of an error (Bonferroni), so that many analyses
/// do not make wrong winners more likely (docs/decisions/0067). Confined to one thread.
public final class SequentialTest implements StoppingRule {
    private final int first;
    private final Optional<Duration> time;
    private final Ticker ticker;
    private final long start;
    private int planned = 1;
    private int taken;
    private boolean decided;

    /// @param first  groups of prompts before the first interim analysis
    /// @param time   no group begins after this time; half of it is for the warm-up; counts from now
    /// @param ticker clock of that time
    public SequentialTest(int first, Optional<Duration> time, Ticker ticker) {
        this.first = first;
        this.time = time;
        this.ticker = ticker;
        this.start = ticker.nanos();
    }

    /// Returns the interim analyses for so many groups.
    static List<Integer> schedule(int first, int groups) {
        var sizes = new ArrayList<Integer>();
        for (int size = Math.max(2, first); size < groups; size += Math.ceilDiv(size, 2)) {
            sizes.add(size);
        }
        sizes.add(groups);
        return List.copyOf(sizes);
    }

    @Override
    public List<Integer> sizes(int groups) {
        var sizes = schedule(first, groups);
        planned = sizes.size();
        return sizes;
    }

    @Override
    public boolean enough(ComparisonResult soFar, int look) {
        taken = look;
        var rankings = Rankings.of(soFar, alpha());
        decided = !rankings.isEmpty() && Rankings.decided(rankings);
        return decided;
    }

    @Override
    public boolean spent() {
        return spent(1);
    }

    @Override
    public boolean warm() {
        return spent(0.5);
    }

    private boolean spent(double share) {
        return time.isPresent() && ticker.nanos() - start >= share * time.get().toNanos();
    }

    /// The chance that any interval of one analysis misses.
    public double alpha() {
        return Rankings.ALPHA / planned;
    }

    /// Returns the interim analyses of a comparison and its end.
    public InterimAnalysis interimAnalysis(ComparisonResult result) {
        return new InterimAnalysis(planned, taken, result.plan().prompts().size(), end(result));
    }

    private InterimAnalysis.End end(ComparisonResult result) {
        if (result.interrupted()) {
            return InterimAnalysis.End.INTERRUPTED;
        }
        if (decided) {
            return InterimAnalysis.End.DECIDED;
        }
        return spent() ? InterimAnalysis.End.TIME_OVER : InterimAnalysis.End.NO_MORE_PROMPTS;
    }

    /// The interim analyses of a comparison that continued until it was decided.
    ///
    /// @param planned    the most interim analyses; the intervals are corrected for all of them
    /// @param taken      analyses that were made
    /// @param mostPrompts the most prompts that it could have measured
    /// @param end        the reason of its end
    public record InterimAnalysis(int planned, int taken, int mostPrompts, End end) {
        /// Returns a sentence or two.
        public String shown() {
            return "Continued until decided: look %d of at most %d, at most %d prompts; ended because %s. Intervals of who is fastest hold for all looks together, those of speedups for the last one alone."
                    .formatted(taken, planned, mostPrompts, end.shown());
        }

        /// The reason why a comparison ended.
        public enum End {
            /// The fastest variant is known, or which variants are alike.
            DECIDED("it was decided"),
            /// Every prompt was measured.
            NO_MORE_PROMPTS("every prompt was measured"),
            /// The time was over.
            TIME_OVER("the time was over"),
            /// The user ended it.
            INTERRUPTED("it was interrupted");

            private final String shown;

            End(String shown) {
                this.shown = shown;
            }

            /// Returns the words of tables.
            public String shown() {
                return shown;
            }
        }
    }
}
