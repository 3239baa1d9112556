package dev.outrider.drafter.smallmodel;

import dev.outrider.common.sampling.DistributionBuffer;
import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What the drafter thinks of the target's next token.
///
/// @param policy     the target's
/// @param vocabulary how many of the target's tokens the network knows; ids are the same
/// @param coupled    whether tokens are drawn with the noise of their position
record NextTokens(SamplingPolicy policy, DraftVocabulary vocabulary, boolean coupled) {
    /// The distribution of the target's next token if the network's logits were the target's. Without temperature that would be one token;
    /// how probable it is that another one comes is then read from temperature 1.
    ///
    /// @param logits  shape `[V']` with `V'` at least the vocabulary's width
    /// @param history tokens before
    /// @return shape `[V]`; the caller owns it
    double[] distribution(float[] logits, TokenHistory history) {
        var sampling =
                policy.greedy()
                        ? new SamplingPolicy(1, 0, 1, 0, policy.repetitionPenalty())
                        : policy;
        var buffer = new DistributionBuffer(vocabulary.width());
        buffer.fill(sampling, MemorySegment.ofArray(logits), history);
        return Arrays.copyOf(buffer.distribution(), vocabulary.targetSize());
    }

    /// The token that the rule would draw from a distribution, with its own random number. Of two distributions that are close it draws
    /// mostly the same one, where the most probable alone would come as often as it is probable. Without temperature that is the most
    /// probable token.
    ///
    /// Nothing depends on it but time, so it may look at the rule's randomness.
    ///
    /// @param role         what the rule draws for
    /// @param node         of the draft, after which
    /// @param position     of the token in the text
    /// @param distribution shape `[V]`, not negative, with a positive sum
    int guess(
            Randomness ending,
            Randomness.Role role,
            int node,
            int position,
            double[] distribution) {
        if (policy.greedy()) {
            int best = 0;
            for (int token = 1; token < distribution.length; token++) {
                best = distribution[token] > distribution[best] ? token : best;
            }
            return best;
        }
        return coupled
                ? ending.gumbelTopK(position, distribution, 1)[0]
                : ending.draw(role, node, distribution);
    }
}
