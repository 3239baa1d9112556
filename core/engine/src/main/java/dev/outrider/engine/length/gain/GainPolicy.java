package dev.outrider.engine.length.gain;

import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DraftLengthPolicy;

/// Chooses for one sequence: what all sequences learned of costs, and its own acceptance, to which theirs is the prior. Confined to one thread.
final class GainPolicy implements DraftLengthPolicy {
    /// Rounds of this sequence that the experience of all counts as.
    private static final double PRIOR_ROUNDS = 4;

    private static final double MEMORY = 0.93;

    /// How much better another depth must look than the one in use.
    private static final double MARGIN = 1.02;

    private final ExpectedGainLength settings;
    private final Experience experience;
    private final Survival survival;
    private int chosen;
    private int length;
    private double bestRate;

    GainPolicy(ExpectedGainLength settings, Experience experience) {
        this.settings = settings;
        this.experience = experience;
        this.survival = new Survival(settings.most(), MEMORY);
        this.chosen = settings.initial();
    }

    @Override
    public int next() {
        length =
                experience
                        .known()
                        .map(this::bestOrTrial)
                        .orElse(experience.knowsPlain() ? settings.initial() : 0);
        return length;
    }

    private int bestOrTrial(Experience.Known known) {
        var survivals = survival.curve(known.survival(), PRIOR_ROUNDS);
        int best = chosen;
        double found = MARGIN * rate(known.nanos(), survivals, chosen);
        for (int depth = 0; depth <= settings.most(); depth++) {
            double rate = rate(known.nanos(), survivals, depth);
            if (rate > found) {
                best = depth;
                found = rate;
            }
        }
        chosen = best;
        bestRate = rate(known.nanos(), survivals, best);
        int trial = experience.oldest(Math.min(settings.most(), 2 * best + 1), best);
        double loss = known.nanos()[trial] - tokens(survivals, trial) / bestRate;
        return experience.affords(Math.max(0, loss), settings.trials()) ? trial : best;
    }

    private static double rate(double[] nanos, double[] survivals, int depth) {
        return tokens(survivals, depth) / Math.max(1, nanos[depth]);
    }

    private static double tokens(double[] survivals, int depth) {
        double tokens = 0;
        for (int d = 0; d <= depth; d++) {
            tokens += survivals[d];
        }
        return tokens;
    }

    @Override
    public void observe(RoundCompleted round) {
        int accepted = round.verdict().acceptedLength();
        double nanos = round.times().total();
        survival.observe(length, accepted);
        experience.observe(length, accepted, nanos);
        if (bestRate > 0 && length != chosen) {
            experience.tried(nanos - (accepted + 1) / bestRate);
        }
    }
}
