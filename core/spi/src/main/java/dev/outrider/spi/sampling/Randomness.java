package dev.outrider.spi.sampling;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The random decisions of one round. Drafters and acceptance rules take all their randomness from here, so
/// that the same code runs with real streams and under exact enumeration, where every call forks.
///
/// Every call but [#gumbelTopK] is fresh: two calls with the same role and node give independent outcomes.
/// Confined to one thread and one round.
@API(status = Status.STABLE, since = "2")
public interface Randomness {
    /// {@return whether `u * denominator < numerator` for a fresh uniform `u` in `[0, 1)`: accept with probability
    /// `min(1, numerator / denominator)`} The strict product form never accepts a token of probability zero.
    ///
    /// @param node        the draft node being tested, 0 for a choice about the whole round
    /// @param numerator   not negative
    /// @param denominator positive
    boolean accept(int node, double numerator, double denominator);

    /// Draws a token from a distribution.
    ///
    /// @param role [Randomness.Role#DRAFT], [Randomness.Role#RESIDUAL] or [Randomness.Role#BONUS]
    /// @param node the node whose successor is drawn
    /// @param distribution  shape `[V]`, not negative, with a positive sum, which need not be 1
    /// @return a token with positive weight
    int draw(Randomness.Role role, int node, double[] distribution);

    /// As [#draw(Randomness.Role, int, double\[\])], for a distribution whose positive weights are all at known tokens: if they are
    /// few, no other token is read.
    ///
    /// @param role    as in the other method
    /// @param node    as in the other method
    /// @param distribution     shape `[V]`, 0 outside the support
    /// @param support may have tokens of weight 0
    /// @return a token with positive weight
    default int draw(Randomness.Role role, int node, double[] distribution, Support support) {
        return draw(role, node, distribution);
    }

    /// Draws tokens without replacement with the noise of a position: token x needs the time
    /// `E_x / distribution[x]`, where the `E_x` are independent exponentials that depend on seed, request, position
    /// and x alone, and the first `count` to finish are returned in that order. The first token has the given distribution
    /// (it is the argmax of `log distribution[x]` plus Gumbel noise), and under similar distributions it is usually the
    /// same token: drafter and target that use one position's noise often agree, without communication.
    ///
    /// @param position index of the drawn token in the sequence, the prompt included
    /// @param distribution      shape `[V]`, not negative, with a positive sum, which need not be 1
    /// @param count    at least 1
    /// @return `count` tokens, fewer if fewer have positive weight; the caller owns the array
    /// @see "Daliri, Musco, Suresh 2024: Coupling without communication and drafter-invariant speculative decoding"
    int[] gumbelTopK(int position, double[] distribution, int count);

    /// {@return a fresh uniform in `[0, 1)`, for code that needs the number itself} Enumeration cannot fork a
    /// continuous variable and refuses this call.
    ///
    /// @param role the use of the number
    /// @param node the node that it is for
    double uniform(Randomness.Role role, int node);

    /// The use of a random number. Streams of different roles are independent.
    enum Role {
        /// Drawing a draft token.
        DRAFT,
        /// Testing whether a draft token is accepted.
        ACCEPT,
        /// Drawing the correction after a rejection.
        RESIDUAL,
        /// Drawing the token after a fully accepted path.
        BONUS,
        /// The noise of a position, which drafter and target share; see [Randomness#gumbelTopK].
        COUPLED
    }
}
