package dev.outrider.engine.assembly;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;

/// The acceptance rules used where nobody names one: always lossless.
final class Rules {
    private Rules() {}

    /// Argmax matching at temperature 0, token rejection for chains, sample and match for any other tree.
    static AcceptanceRule fitting(DrafterTraits drafter, SamplingPolicy policy) {
        if (policy.greedy()) {
            return new GreedyRule();
        }
        return drafter.shape() == TreeShape.CHAIN
                ? new TokenRejectionRule()
                : new SampleAndMatchRule();
    }

    /// What plain decoding, which drafts nothing, chooses its token with.
    static AcceptanceRule plain(SamplingPolicy policy) {
        return policy.greedy() ? new GreedyRule() : new TokenRejectionRule();
    }
}
