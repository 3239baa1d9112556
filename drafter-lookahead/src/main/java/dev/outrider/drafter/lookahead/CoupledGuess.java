package dev.outrider.drafter.lookahead;

import dev.outrider.common.sampling.Distributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.sampling.TokenHistory;
import dev.outrider.spi.target.TargetScores;

/// The token that the noise of a position chooses from the target's distribution: what the rule `gumbel-coupled` emits if the
/// tokens before it are right. A repetition penalty is left out, because a guess may be anything. Immutable.
///
/// @see "Daliri, Musco, Suresh 2024: Coupling without communication and drafter-invariant speculative decoding"
final class CoupledGuess {
    private final SamplingPolicy policy;

    CoupledGuess(SamplingPolicy ofTarget) {
        this.policy =
                new SamplingPolicy(
                        ofTarget.temperature(),
                        ofTarget.topK(),
                        ofTarget.topP(),
                        ofTarget.minP(),
                        1);
    }

    /// @param position index of the guessed token in the sequence, the prompt included
    int after(TargetScores scores, int node, int position, Randomness randomness) {
        double[] distribution =
                Distributions.of(
                        policy,
                        scores.logits(node), scores.vocabularySize(), TokenHistory.empty());
        return randomness.gumbelTopK(position, distribution, 1)[0];
    }
}
