package dev.outrider.drafter.ensemble;

import dev.outrider.common.StickyChoice;
import dev.outrider.common.Reasons;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Chooses who drafts for one sequence: the part with the most tokens for its time, which is what all sequences learned, then its own rounds.
/// Now and then another part is tried.
final class DrafterSelector implements Chooser {
    /// Rounds that keep a part.
    private static final int HOLD = 4;

    /// Rounds in which nobody drafts before it is thought over: nothing is learned in them, and thinking costs time.
    private static final int NOBODY_HOLD = 16;

    /// Rounds of this sequence that the experience of all counts as.
    private static final double PRIOR_ROUNDS = 8;

    private static final double MEMORY = 0.93;

    /// How much better another part must look than the one in use, for a change has a price that settled rounds do not show: whoever was not
    /// asked has to catch up. Nobody has nothing to catch up with, and is left only for more.
    private static final double MARGIN = 1.02;

    private static final double FROM_NOBODY = 1.05;

    private final SelectorExperience experience;
    private final StickyChoice held;
    private final List<Yield> yields;
    private String reason = Reasons.LEARNING;
    private int part;
    private int best;
    private double bestRate;

    DrafterSelector(SelectorExperience experience) {
        this(experience, HOLD);
    }

    /// @param hold rounds that keep a part
    DrafterSelector(SelectorExperience experience, int hold) {
        this.experience = experience;
        this.held = new StickyChoice(hold);
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

    /// Nanoseconds of a round beyond those in which the best part emits as many tokens.
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
