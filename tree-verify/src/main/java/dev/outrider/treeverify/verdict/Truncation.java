package dev.outrider.treeverify.verdict;

import dev.outrider.spi.SamplingPolicy;

/// What a policy removes from each law, in the numbers that kernels compute with. The meaning, ties included, is
/// [SamplingPolicy]'s.
///
/// @param topK  logits below the k-th largest go; 0 keeps all
/// @param topP  a token goes when those before it hold at least this part of what top-k left; 1 keeps all
/// @param reach a token goes when its logit lies farther than this below the largest; [#EVERYWHERE] keeps all
public record Truncation(int topK, float topP, float reach) {
    /// A reach that no logit lies beyond.
    static final float EVERYWHERE = 3e38f;

    /// Nothing is removed.
    static final Truncation NONE = new Truncation(0, 1, EVERYWHERE);

    /// The truncations of a policy that is not greedy.
    ///
    /// Min-p compares probabilities with the best one's, which is a distance of logits: `-ln(minP) * temperature`.
    static Truncation of(SamplingPolicy policy, int vocabulary) {
        double distance = -Math.log(policy.minP()) * policy.temperature();
        return new Truncation(
                policy.topK() < vocabulary ? policy.topK() : 0,
                (float) policy.topP(),
                (float) Math.min(distance, EVERYWHERE));
    }
}
