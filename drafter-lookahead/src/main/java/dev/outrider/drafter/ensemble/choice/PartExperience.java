package dev.outrider.drafter.ensemble.choice;

import dev.outrider.common.TrialBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// What all sequences have learned of the parts of a choice: its drafters in order, then plain
/// decoding. Each part has its own exploration budget, so cheap trials need not wait for expensive
/// ones. Thread-safe.
final class PartExperience {
    private static final double MEMORY = 0.97;

    /// A round that took more than this many times the mean of its part was disturbed, and is
    /// counted as this many.
    private static final double MAX = 5;

    /// The times of a part that was not asked for this many rounds are outdated.
    private static final int LONG_AGO = 64;

    private final List<Yield> yields;
    private final List<TrialBudget> trials;
    private final long[] lastAsked;
    private long rounds;

    /// @param drafters number of drafters
    /// @param share    of the time that exploration may cost beyond the best part
    PartExperience(int drafters, double share) {
        yields = Stream.generate(() -> new Yield(MEMORY)).limit(drafters + 1L).toList();
        trials =
                Stream.generate(() -> new TrialBudget(share / drafters))
                        .limit(drafters + 1L)
                        .toList();
        lastAsked = new long[drafters + 1];
    }

    int parts() {
        return yields.size();
    }

    /// Returns the first part that was not timed yet.
    synchronized OptionalInt unknown() {
        for (int part = 0; part < parts(); part++) {
            if (!yields.get(part).known()) {
                return OptionalInt.of(part);
            }
        }
        return OptionalInt.empty();
    }

    /// Returns the mean round of each part; all were timed. Plain rounds never take longer than
    /// others.
    synchronized List<Yield.Round> means() {
        var means = new ArrayList<Yield.Round>();
        double shortest = Double.POSITIVE_INFINITY;
        for (var yield : yields) {
            means.add(yield.mean());
            shortest = Math.min(shortest, yield.mean().nanos());
        }
        means.set(nobody(), new Yield.Round(means.get(nobody()).tokens(), shortest));
        return means;
    }

    private int nobody() {
        return parts() - 1;
    }

    /// Learns from a round.
    ///
    /// @param part   the part that drafted
    /// @param tokens emitted
    /// @param nanos  time of the round
    /// @param timely whether its time is typical for this part
    /// @return the time that counts; nothing if none does
    synchronized Optional<Double> observe(int part, int tokens, double nanos, boolean timely) {
        if (rounds - lastAsked[part] > LONG_AGO) {
            yields.get(part).forgetTimes();
        }
        lastAsked[part] = ++rounds;
        trials.forEach(budget -> budget.spend(nanos));
        if (!timely) {
            return Optional.empty();
        }
        var yield = yields.get(part);
        double most = yield.known() ? MAX * yield.mean().nanos() : Double.POSITIVE_INFINITY;
        double counted = Math.max(1, Math.min(nanos, most));
        yield.add(tokens, counted);
        return Optional.of(counted);
    }

    /// Returns the part that was not asked for the longest time, among those whose trial is
    /// affordable.
    ///
    /// @param best the best part, which is not explored
    /// @param cost of a part's trial beyond the best part, in nanoseconds
    synchronized OptionalInt trial(int best, IntToDoubleFunction cost) {
        int oldest = best;
        for (int part = 0; part < parts(); part++) {
            boolean older = oldest == best || lastAsked[part] < lastAsked[oldest];
            if (part != best
                    && older
                    && trials.get(part).affords(Math.max(0, cost.applyAsDouble(part)))) {
                oldest = part;
            }
        }
        return oldest == best ? OptionalInt.empty() : OptionalInt.of(oldest);
    }

    /// Records the cost of a trial beyond the best part; may be negative.
    synchronized void tried(int part, double nanos) {
        trials.get(part).tried(nanos);
    }
}
