package dev.outrider.drafter.ensemble;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.StickyChoice;
import dev.outrider.drafter.ensemble.ChoiceSession.Chooser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Stream;

/// Chooses the drafter of each round of one sequence, or plain decoding: the part with the most tokens per time. The experience of
/// all sequences counts as the first rounds of this sequence. Sometimes another part is explored.
final class DrafterSelector implements Chooser {
    /// The number of rounds of this sequence that the experience of all sequences counts as.
    private static final double PRIOR_ROUNDS = 8;

    /// The margin by which a drafter must look better than plain decoding. More than [ExploreExploit#MARGIN], because plain decoding has no state that falls
    /// behind. A change to plain decoding needs no margin, for the same reason.
    private static final double FROM_PLAIN = 1.05;

    private final SelectorExperience experience;
    private final StickyChoice held;
    private final List<Yield> yields;
    private String reason = ExploreExploit.LEARNING;
    private int part;
    private int best;
    private double bestRate;

    DrafterSelector(SelectorExperience experience) {
        this(experience, ExploreExploit.HOLD);
    }

    /// @param hold rounds before the choice is made again
    DrafterSelector(SelectorExperience experience, int hold) {
        this.experience = experience;
        this.held = new StickyChoice(hold);
        this.yields =
                Stream.generate(() -> new Yield(ExploreExploit.SEQUENCE_MEMORY))
                        .limit(experience.parts())
                        .toList();
    }

    @Override
    public int next() {
        part = held.next(() -> experience.unknown().orElseGet(this::bestOrTrial));
        return part;
    }

    private int bestOrTrial() {
        var means = experience.means();
        var expected = new ArrayList<Yield.Round>();
        for (int each = 0; each < means.size(); each++) {
            expected.add(yields.get(each).mean(means.get(each), PRIOR_ROUNDS));
        }
        int plain = expected.size() - 1;
        double margin = best == plain ? FROM_PLAIN : ExploreExploit.MARGIN;
        int found = ExploreExploit.best(best, plain, part -> expected.get(part).rate(), margin);
        if (expected.get(plain).rate() >= expected.get(found).rate()) {
            found = plain;
        }
        best = found;
        bestRate = expected.get(best).rate();
        var trial = experience.trial(best, each -> held.rounds() * beyond(expected.get(each)));
        reason = trial.isPresent() ? ExploreExploit.TRIAL : ExploreExploit.BEST;
        if (best == plain && trial.isEmpty()) {
            held.keep(ExploreExploit.PLAIN_HOLD);
        }
        return trial.orElse(best);
    }

    @Override
    public String reason() {
        return reason;
    }

    /// Returns the nanoseconds of a round beyond those in which the best part emits as many tokens.
    private double beyond(Yield.Round round) {
        return round.nanos() - round.tokens() / bestRate;
    }

    @Override
    public void observe(int tokens, double nanos) {
        experience
                .observe(part, tokens, nanos, held.settled())
                .ifPresent(counted -> yields.get(part).add(tokens, counted));
        if (bestRate > 0 && part != best) {
            experience.explored(part, beyond(new Yield.Round(tokens, nanos)));
        }
    }

    /// Yields of the parts of a choice, learned by all sequences: its drafters in their order, then plain decoding. Thread-safe.
    static final class SelectorExperience {
        /// Memory of a part's rounds over all sequences: about 33 rounds.
        private static final double MEMORY = 0.97;

        /// A round that took longer than the mean of its part by more than this factor was disturbed, and counts with this factor.
        private static final double MAX = 5;

        /// After this many rounds without a part, its times are outdated.
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
        /// @return the time that counts; empty if none does
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

        /// Reports the cost of a round of another part beyond the best one, which may be negative.
        synchronized void explored(int part, double nanos) {
            choice.explored(part, nanos);
        }
    }

    /// Tokens and time of rounds: sums in which a round counts less with every later one. Not
    /// thread-safe.
    static final class Yield {
        private final double memory;
        private double tokens;
        private double nanos;
        private double rounds;
        private double timed;

        /// An expected round.
        ///
        /// @param tokens emitted
        /// @param nanos  time of the round
        record Round(double tokens, double nanos) {
            /// Returns the tokens per nanosecond.
            double rate() {
                return tokens / nanos;
            }
        }

        /// @param memory share of the past that remains after a round
        Yield(double memory) {
            this.memory = memory;
        }

        void add(double emitted, double time) {
            tokens = memory * tokens + emitted;
            nanos = memory * nanos + time;
            rounds = memory * rounds + 1;
            timed = memory * timed + 1;
        }

        /// Outdated times count as one round from now on: the machine may have changed since then.
        void forgetTimes() {
            if (timed > 1) {
                nanos /= timed;
                timed = 1;
            }
        }

        boolean known() {
            return rounds > 0;
        }

        /// Returns the mean round; there must be one.
        Round mean() {
            return new Round(tokens / rounds, nanos / timed);
        }

        /// Returns the mean round, with a prior of another kind of rounds.
        Round mean(Round prior, double weight) {
            return new Round(
                    (weight * prior.tokens() + tokens) / (weight + rounds),
                    (weight * prior.nanos() + nanos) / (weight + timed));
        }
    }
}
