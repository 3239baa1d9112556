package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftVocabulary;
import dev.outrider.spi.sampling.DistributionBuffer;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Guesses the token that follows a wholly accepted draft: what the rule would draw, with its own randomness, if the drafter's
/// distribution were the target's. Without temperature that is the drafter's best token.
///
/// Nothing depends on the guess but time, so it may look at the rule's randomness.
///
/// @param policy     the target's
/// @param vocabulary how many of the target's tokens the network knows; ids are the same
/// @param coupled    whether tokens are drawn with the noise of their position
record NextToken(SamplingPolicy policy, DraftVocabulary vocabulary, boolean coupled) {
    /// @param logits  of the leaf's successors
    /// @param history tokens before the guess
    /// @param leaf    the draft's node
    /// @param ending  the round's randomness, in a state of its own
    int guess(float[] logits, TokenHistory history, int leaf, Randomness ending) {
        var buffer = new DistributionBuffer(vocabulary.width());
        buffer.fill(policy, MemorySegment.ofArray(logits), history);
        double[] distribution = Arrays.copyOf(buffer.distribution(), vocabulary.targetSize());
        return coupled
                ? ending.gumbelTopK(history.length() + history.path().length, distribution, 1)[0]
                : ending.draw(Randomness.Role.BONUS, leaf, distribution, buffer.support());
    }
}
