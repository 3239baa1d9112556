package dev.outrider.spi;

import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;
import java.lang.foreign.MemorySegment;

/// A law and its support in memory that is used again: what a policy makes of one row of logits after the other, without
/// allocating. For the engine and for drafters that compute many laws; everybody else calls [SamplingPolicy#law].
///
/// Confined to one thread.
@API(status = Status.INTERNAL, since = "2")
public final class DistributionBuffer {
    private final double[] law;
    private final Support support = new Support();

    /// A law of no tokens.
    ///
    /// @param vocabulary number of tokens V
    public DistributionBuffer(int vocabulary) {
        this.law = new double[vocabulary];
    }

    /// Computes the law at one position, in place of what was here. If that fails, what is here is no law.
    ///
    /// @param policy  what makes a law of the logits
    /// @param logits  shape `[V]` 32-bit floats; not changed
    /// @param history tokens before the position
    /// @throws OutriderException `CONTRACT_BROKEN` if a logit is NaN or none is finite
    public void fill(SamplingPolicy policy, MemorySegment logits, TokenHistory history) {
        Processors.law(policy, logits, history, law, support);
    }

    /// {@return the law, shape `[V]`; 0 except at the tokens of the support} Shared: valid until the next [#fill].
    public double[] law() {
        return law;
    }

    /// {@return the tokens with positive probability} Shared: valid until the next [#fill].
    public Support support() {
        return support;
    }
}
