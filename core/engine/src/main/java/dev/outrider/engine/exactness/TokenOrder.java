package dev.outrider.engine.exactness;

import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;

/// An order of the tokens at one place, which depends on what came before it alone. Any such order makes
/// quantiles uniform; a good one puts next to each other the tokens that a fault favours.
@FunctionalInterface
interface TokenOrder {
    /// Position of a token; smaller comes first, equal ones in order of their ids.
    ///
    /// @param probability the target's, at this place
    double key(int token, double probability);

    /// The most probable tokens first: faults that sharpen or flatten the distribution.
    TokenOrder BY_PROBABILITY = (token, probability) -> -probability;

    /// The tokens that the target finds more probable than the drafter last: faults in how drafts are judged.
    /// The order is that of the ratio p / q; a drafter that states no distribution q gives none. The guesses themselves may
    /// not be used: a rule can couple them with what it emits and still be exact.
    ///
    /// For the first token of a round only. Where in a round a later token stands says something about randomness that
    /// rules which judge whole paths (block verification, traversal) have flipped already: given that, it does not
    /// follow the target's distribution, and need not.
    static TokenOrder byDraft(RoundCompleted round) {
        return switch (round.draft().selection()) {
            case Selection.PointMass() -> BY_PROBABILITY;
            case Selection.Independent(var distributions) -> byRatio(distributions);
            case Selection.WithoutReplacement(var distributions) -> byRatio(distributions);
        };
    }

    private static TokenOrder byRatio(DraftDistributions distributions) {
        if (!distributions.has(0)) {
            return BY_PROBABILITY;
        }
        double[] q = distributions.row(0);
        return (token, probability) ->
                q[token] > 0 ? probability / q[token] : Double.POSITIVE_INFINITY;
    }
}
