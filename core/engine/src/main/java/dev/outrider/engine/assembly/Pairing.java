package dev.outrider.engine.assembly;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.Compatibility.Losslessness;
import dev.outrider.engine.check.Compatibility.LossyPairings;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TreeShape;
import java.util.Optional;

/// A rule that was checked to work with a drafter under a sampling policy, and the promise of the pair. Immutable; nothing is
/// loaded for it.
///
/// @param rule         decides
/// @param policy       how tokens are chosen
/// @param losslessness what may be promised about the output
public record Pairing(AcceptanceRule rule, SamplingPolicy policy, Losslessness losslessness) {
    /// Checks a pairing.
    ///
    /// @param drafter    what the drafter will propose
    /// @param chosen     the rule; empty for the lossless one that fits the drafter
    /// @param lossy      whether an inexact pairing may run
    /// @throws dev.outrider.spi.error.OutriderException `LOSSY_NOT_ALLOWED` if the output would not be exact and that is not
    ///     allowed; `CAPABILITY_MISSING` if the rule cannot judge such drafts at all
    public static Pairing of(
            DrafterTraits drafter,
            Optional<AcceptanceRule> chosen,
            SamplingPolicy policy,
            LossyPairings lossy) {
        AcceptanceRule rule = chosen.orElseGet(() -> Rules.fitting(drafter, policy));
        return new Pairing(
                rule, policy, Compatibility.check(drafter, rule.traits(), policy, lossy));
    }

    /// Returns the pairing of plain decoding, which drafts nothing.
    public static Pairing plain(SamplingPolicy policy) {
        return new Pairing(
                Rules.plain(policy),
                policy,
                policy.greedy()
                        ? Losslessness.GREEDY_EQUAL
                        : Losslessness.LOSSLESS_IN_DISTRIBUTION);
    }

    /// Returns the pairing of beam search, with or without a drafter: no rule accepts or rejects tokens there.
    public static Pairing beams() {
        return new Pairing(new GreedyRule(), SamplingPolicy.argmax(), Losslessness.BEAM_EQUAL);
    }

    /// Name of the rule that decides: at temperature 0 every lossless rule decides as the greedy one.
    public String ruleName() {
        if (losslessness == Losslessness.BEAM_EQUAL) {
            return "beam-search";
        }
        boolean argmax = policy.greedy() && rule.traits().lossless();
        return argmax ? new GreedyRule().traits().name() : rule.traits().name();
    }

    /// The acceptance rules of configurations that name none: always lossless.
    private static final class Rules {
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

        /// Returns the rule of plain decoding, which drafts nothing.
        static AcceptanceRule plain(SamplingPolicy policy) {
            return policy.greedy() ? new GreedyRule() : new TokenRejectionRule();
        }
    }
}
