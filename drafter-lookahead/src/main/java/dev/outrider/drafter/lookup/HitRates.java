package dev.outrider.drafter.lookup;

/// How often an index's guess of the next token came true lately, by the length of the match it rested on.
///
/// Every committed token is a trial, drafted or not: what the index would have guessed is compared with what came. The
/// rates are thus a function of the text alone. They decide how long a draft may be: a guess is made while the chance
/// that it and all before it are right is at least a given number. Where a text does not repeat itself, drafts soon
/// become empty and cost nothing; where it copies, one or two tokens bring them back.
///
/// A class of lengths starts from a prior that weighs as much as [#PRIOR_WEIGHT] trials, and forgets old trials.
/// Confined to one thread.
public final class HitRates {
    private static final double MEMORY = 0.9;
    private static final double PRIOR_WEIGHT = 3;

    /// By class of match length: 1, 2, 3 to 4, 5 to 8, 9 to 16, longer.
    private static final double[] PRIORS = {0.1, 0.25, 0.45, 0.65, 0.8, 0.9};

    private final double[] hits = new double[PRIORS.length];
    private final double[] trials = new double[PRIORS.length];

    /// Records whether a guess came true.
    ///
    /// @param matchLength tokens of context that the guess rested on, at least 1
    public void record(int matchLength, boolean hit) {
        int kind = kind(matchLength);
        hits[kind] = MEMORY * hits[kind] + (hit ? 1 : 0);
        trials[kind] = MEMORY * trials[kind] + 1;
    }

    /// The chance that a guess after a match of this length is right.
    public double rate(int matchLength) {
        int kind = kind(matchLength);
        return (hits[kind] + PRIOR_WEIGHT * PRIORS[kind]) / (trials[kind] + PRIOR_WEIGHT);
    }

    /// How many tokens to guess after a match: as long as the chance that all of them are right is at least
    /// `minChance`. Every right guess makes the match one token longer.
    ///
    /// @param minChance 0 (guess whatever `most` allows) to 1
    /// @param most      upper limit
    public int worthGuessing(int matchLength, double minChance, int most) {
        if (minChance == 0) {
            return most;
        }
        double chance = 1;
        int length = 0;
        while (length < most) {
            chance *= rate(matchLength + length);
            if (chance < minChance) {
                return length;
            }
            length++;
        }
        return length;
    }

    /// 0 for 1, 1 for 2, 2 for 3 to 4, and so on.
    private static int kind(int matchLength) {
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(matchLength - 1);
        return Math.min(doublings, PRIORS.length - 1);
    }
}
