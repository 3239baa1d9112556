package dev.outrider.drafter.lookup;

/// Hit rates of an index's guesses of the next token, by the length of the match.
///
/// Every committed token is a trial, drafted or not: the index's guess is compared with the token.
/// So the rates are a function of the text alone. They determine the draft length: a guess is made
/// while the probability that it and all before it are right is at least a given number. If a text
/// does not repeat itself, drafts soon become empty and cost nothing; where it copies, one or two
/// tokens bring them back.
///
/// A class of lengths starts from a prior that weighs as much as [#PRIOR_WEIGHT] trials, and
/// forgets old trials. Confined to one thread.
public final class HitRates {
    private static final double MEMORY = 0.9;
    private static final double PRIOR_WEIGHT = 3;

    /// By class of match length: 1, 2, 3 to 4, 5 to 8, 9 to 16, longer.
    private static final double[] PRIORS = {0.1, 0.25, 0.45, 0.65, 0.8, 0.9};

    private final double[] hits = new double[PRIORS.length];
    private final double[] trials = new double[PRIORS.length];

    /// Records whether a guess was right.
    ///
    /// @param matchLength number of matching tokens before the guess, at least 1
    public void record(int matchLength, boolean hit) {
        int kind = kind(matchLength);
        hits[kind] = MEMORY * hits[kind] + (hit ? 1 : 0);
        trials[kind] = MEMORY * trials[kind] + 1;
    }

    /// Returns the probability that a guess after a match of this length is right.
    public double rate(int matchLength) {
        int kind = kind(matchLength);
        return (hits[kind] + PRIOR_WEIGHT * PRIORS[kind]) / (trials[kind] + PRIOR_WEIGHT);
    }

    /// Returns how many tokens to guess after a match: as many as are all right with a probability
    /// of at least `minChance`. Every right guess makes the match one token longer.
    ///
    /// @param minChance 0 (always guess the maximum) to 1
    /// @param most      maximum number
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

    /// Returns 0 for 1, 1 for 2, 2 for 3 to 4, and so on.
    private static int kind(int matchLength) {
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(matchLength - 1);
        return Math.min(doublings, PRIORS.length - 1);
    }
}
