package dev.outrider.common.sampling;

import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;

/// A distribution and its support in memory that is used again: a policy's distributions of one row of logits after the other,
/// without allocation. For the engine and for drafters that compute many distributions; other callers use [Distributions#of].
///
/// Confined to one thread.
public final class DistributionBuffer {
    private final double[] distribution;
    private final WeightedTokens support = new WeightedTokens();

    /// An empty distribution.
    ///
    /// @param vocabulary number of tokens V
    public DistributionBuffer(int vocabulary) {
        this.distribution = new double[vocabulary];
    }

    /// Computes the distribution at one position, which replaces the content. If that fails, the content is not a distribution.
    ///
    /// @param policy  makes a distribution of the logits
    /// @param logits  shape `[V]` 32-bit floats; not changed
    /// @param history tokens before the position
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    public void fill(SamplingPolicy policy, MemorySegment logits, TokenHistory history) {
        Distributions.fill(policy, logits, history, distribution, support);
    }

    /// Finds the support of the written distribution.
    void rescan() {
        support.scan(distribution);
    }

    /// {@return the distribution, shape `[V]`; 0 except at the tokens of the support} Shared: valid until the next [#fill].
    public double[] distribution() {
        return distribution;
    }

    /// {@return the tokens with positive probability} Shared: valid until the next [#fill].
    public Support support() {
        return support;
    }
}
