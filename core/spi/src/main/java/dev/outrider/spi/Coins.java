package dev.outrider.spi;

/// The random decisions of one round. Drafters and acceptance rules take all their randomness from here, so
/// that the same code runs with real streams and under exact enumeration, where every call forks.
///
/// Every call is fresh: two calls with the same role and node give independent outcomes. Confined to one
/// thread and one round.
public interface Coins {
    /// Whether `u * denominator < numerator` for a fresh uniform `u` in `[0, 1)`: accept with probability
    /// `min(1, numerator / denominator)`. The strict product form never accepts a token of probability zero.
    ///
    /// @param node        the draft node being tested
    /// @param numerator   not negative
    /// @param denominator positive
    boolean accept(int node, double numerator, double denominator);

    /// Draws a token from a law.
    ///
    /// @param role [StreamRole#DRAFT], [StreamRole#RESIDUAL] or [StreamRole#BONUS]
    /// @param node the node whose successor is drawn
    /// @param law  shape `[V]`, not negative, with a positive sum, which need not be 1
    /// @return a token with positive weight
    int draw(StreamRole role, int node, double[] law);

    /// A fresh uniform in `[0, 1)`, for couplings that need the noise itself (Gumbel). Enumeration cannot
    /// fork a continuous variable and refuses this call.
    double uniform(StreamRole role, int node);
}
