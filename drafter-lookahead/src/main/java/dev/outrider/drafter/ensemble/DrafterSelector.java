package dev.outrider.drafter.ensemble;

import dev.outrider.common.ExploreExploit;
import dev.outrider.common.StickyChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Chooses the drafter of each round of one sequence, or plain decoding: the part with the most tokens per time. What all sequences learned counts
/// as the first rounds of this one. Sometimes another part is explored.
final class DrafterSelector implements Chooser {
    /// Number of rounds of this sequence that the experience of all sequences is worth.
    private static final double PRIOR_ROUNDS = 8;

    /// How much better a drafter must look than plain decoding. More than [ExploreExploit#MARGIN], because plain decoding has no state that falls
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
}
