package dev.outrider.drafter.smallmodel;

/// How often guesses were accepted at a place that a round came to, by how probable the drafter thought them: what its probabilities are
/// worth, learned from the rounds of one sequence. Before the first ones they are taken at their word.
///
/// Confined to one thread.
final class AcceptedGuesses {
    private static final int BINS = 10;

    /// What is thought before weighs as much as so many guesses.
    private static final double EARLIER = 4;

    private final int[] judged = new int[BINS];
    private final int[] accepted = new int[BINS];

    /// A guess was judged.
    void observe(double probability, boolean wasAccepted) {
        int bin = bin(probability);
        judged[bin]++;
        accepted[bin] += wasAccepted ? 1 : 0;
    }

    /// The chance that a guess is accepted.
    ///
    /// @param probability the drafter's
    double chance(double probability) {
        int bin = bin(probability);
        return (accepted[bin] + EARLIER * probability) / (judged[bin] + EARLIER);
    }

    private static int bin(double probability) {
        return Math.min(BINS - 1, (int) (probability * BINS));
    }
}
