package dev.outrider.engine.length.gain;

import dev.outrider.common.HeldChoice;
import dev.outrider.common.Reasons;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;
import dev.outrider.spi.run.DecodeEvent.TargetPass;
import java.util.Optional;

/// Chooses for one sequence: what all sequences learned of costs, and its own acceptance, to which theirs is the prior. Confined to one thread.
final class GainPolicy implements DraftLengthPolicy {
    /// Rounds of this sequence that the experience of all counts as.
    private static final double PRIOR_ROUNDS = 4;

    private static final double MEMORY = 0.93;

    /// How much better another depth must look than the one in use.
    private static final double MARGIN = 1.02;

    /// Rounds that keep a depth.
    private static final int HOLD = 4;

    /// Rounds of plain decoding before it is thought over: where nothing is drafted nothing changes but the prices, and thinking costs time.
    private static final int PLAIN_HOLD = 16;

    private final ExpectedGainLength settings;
    private final Experience experience;
    private final Survival survival;
    private final HeldChoice held = new HeldChoice(HOLD);
    private int chosen;
    private int length;
    private double bestRate;
    private double price;
    private Optional<TargetPass> pass = Optional.empty();
    private String reason = Reasons.LEARNING;

    GainPolicy(ExpectedGainLength settings, Experience experience) {
        this.settings = settings;
        this.experience = experience;
        this.survival = new Survival(settings.most(), MEMORY);
        this.chosen = settings.initial();
    }

    @Override
    public int next() {
        length = held.next(this::decide);
        price = pass.map(experience::perRow).orElse(0.0) * bestRate;
        return length;
    }

    /// A row more makes the pass longer by t', in which the best depth would emit t' times its rate: that is what it costs. Trials draft at half
    /// of it: who never drafts what looks dear would never learn that it is not.
    @Override
    public double rowCost() {
        return Math.min(1, length == chosen ? price : price / 2);
    }

    @Override
    public String reason() {
        return reason;
    }

    private int decide() {
        return experience
                .known()
                .map(this::bestOrTrial)
                .orElseGet(() -> experience.wantsPlain() ? 0 : settings.initial());
    }

    private int bestOrTrial(Experience.Known known) {
        var survivals = survival.curve(known.survival(), PRIOR_ROUNDS);
        var tokens = expectedTokens(survivals);
        int best = chosen;
        double found = MARGIN * tokens[chosen] / known.nanos()[chosen];
        for (int depth = 0; depth <= settings.most(); depth++) {
            double rate = tokens[depth] / known.nanos()[depth];
            if (rate > found) {
                best = depth;
                found = rate;
            }
        }
        chosen = best;
        bestRate = tokens[best] / known.nanos()[best];
        int trial = experience.oldest(Math.min(settings.most(), 2 * best + 1), best);
        double loss = known.nanos()[trial] - tokens[trial] / bestRate;
        boolean affordable = experience.affords(HOLD * Math.max(0, loss));
        reason = affordable ? Reasons.TRIAL : Reasons.BEST;
        if (best == 0 && !affordable) {
            held.keep(PLAIN_HOLD);
        }
        return affordable ? trial : best;
    }

    /// Of a round by depth: `1 + S_1 + ... + S_K`.
    private static double[] expectedTokens(double[] survivals) {
        var tokens = survivals.clone();
        for (int depth = 1; depth < tokens.length; depth++) {
            tokens[depth] += tokens[depth - 1];
        }
        return tokens;
    }

    @Override
    public void observe(RoundCompleted round) {
        pass = Optional.of(round.pass());
        int accepted = round.verdict().acceptedLength();
        survival.observe(length, accepted);
        double nanos = experience.observe(length, round, held.settled());
        if (bestRate > 0 && length != chosen) {
            experience.tried(nanos - (accepted + 1) / bestRate);
        }
    }
}
