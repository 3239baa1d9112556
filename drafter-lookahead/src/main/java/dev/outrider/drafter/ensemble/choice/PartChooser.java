package dev.outrider.drafter.ensemble.choice;

import dev.outrider.common.HeldChoice;
import dev.outrider.common.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Chooses the drafter for one sequence: the part with the most tokens per time, from the
/// experience of all sequences and then from its own rounds. Sometimes another part is explored.
final class PartChooser implements Chooser {
    /// Rounds before the choice is made again.
    private static final int HOLD = 4;

    /// Rounds of plain decoding before the choice is made again: nothing new is learned in them,
    /// and choosing costs time.
    private static final int NOBODY_HOLD = 16;

    /// Number of rounds of this sequence that the experience of all sequences is worth.
    private static final double PRIOR_ROUNDS = 8;

    private static final double MEMORY = 0.93;

    /// How much better another part must look than the current one. A change has a cost that later
    /// rounds do not show: a part that was not asked has to catch up. Plain decoding has nothing to
    /// catch up with, and is left only for a larger gain.
    private static final double MARGIN = 1.02;

    private static final double FROM_NOBODY = 1.05;

    private final PartExperience experience;
    private final HeldChoice held;
    private final List<Yield> yields;
    private String reason = Reasons.LEARNING;
    private int part;
    private int best;
    private double bestRate;

    PartChooser(PartExperience experience) {
        this(experience, HOLD);
    }

    /// @param hold rounds before the choice is made again
    PartChooser(PartExperience experience, int hold) {
        this.experience = experience;
        this.held = new HeldChoice(hold);
        this.yields = Stream.generate(() -> new Yield(MEMORY)).limit(experience.parts()).toList();
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
        int nobody = expected.size() - 1;
        int found = best;
        double rate = (best == nobody ? FROM_NOBODY : MARGIN) * expected.get(best).rate();
        for (int each = 0; each < nobody; each++) {
            if (expected.get(each).rate() > rate) {
                found = each;
                rate = expected.get(each).rate();
            }
        }
        if (expected.get(nobody).rate() >= expected.get(found).rate()) {
            found = nobody;
        }
        best = found;
        bestRate = expected.get(best).rate();
        var trial = experience.trial(best, each -> held.rounds() * beyond(expected.get(each)));
        reason = trial.isPresent() ? Reasons.TRIAL : Reasons.BEST;
        if (best == nobody && trial.isEmpty()) {
            held.keep(NOBODY_HOLD);
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
            experience.tried(part, beyond(new Yield.Round(tokens, nanos)));
        }
    }
}
