package dev.outrider.drafter.ensemble;

import dev.outrider.common.ExploreExploit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// What all sequences have learned of the parts of a choice: its drafters in their order, then plain decoding. Thread-safe.
final class SelectorExperience {
    /// Memory of a part's rounds over all sequences: about 33 rounds.
    private static final double MEMORY = 0.97;

    /// A round that took more than this many times the mean of its part was disturbed, and counts as this many.
    private static final double MAX = 5;

    /// After this many rounds without a part its times are too old.
    private static final int LONG_AGO = 64;

    private final List<Yield> yields;
    private final ExploreExploit choice;

    /// @param drafters number of drafters
    /// @param share    of the time that exploration may cost beyond the best part
    SelectorExperience(int drafters, double share) {
        yields = Stream.generate(() -> new Yield(MEMORY)).limit(drafters + 1L).toList();
        choice = ExploreExploit.withBudgets(drafters + 1, share);
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

    /// The mean round of each part; all were timed. Plain rounds never take longer than others.
    synchronized List<Yield.Round> means() {
        var means = new ArrayList<Yield.Round>();
        double shortest = Double.POSITIVE_INFINITY;
        for (var yield : yields) {
            means.add(yield.mean());
            shortest = Math.min(shortest, yield.mean().nanos());
        }
        means.set(plain(), new Yield.Round(means.get(plain()).tokens(), shortest));
        return means;
    }

    private int plain() {
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
        if (choice.since(part) > LONG_AGO) {
            yields.get(part).forgetTimes();
        }
        choice.used(part);
        choice.spend(nanos);
        if (!timely) {
            return Optional.empty();
        }
        var yield = yields.get(part);
        double most = yield.known() ? MAX * yield.mean().nanos() : Double.POSITIVE_INFINITY;
        double counted = Math.max(1, Math.min(nanos, most));
        yield.add(tokens, counted);
        return Optional.of(counted);
    }

    /// The part to explore, if one is affordable.
    ///
    /// @param best the best part, which is not explored
    /// @param loss of exploring a part beyond the best one, in nanoseconds
    synchronized OptionalInt trial(int best, IntToDoubleFunction loss) {
        return choice.trial(best, _ -> true, loss);
    }

    /// A round of another part has cost so much beyond the best one, or less than nothing.
    synchronized void explored(int part, double nanos) {
        choice.explored(part, nanos);
    }
}
