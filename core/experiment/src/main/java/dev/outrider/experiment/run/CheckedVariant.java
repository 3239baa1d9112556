package dev.outrider.experiment.run;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.check.Compatibility;
import dev.outrider.engine.check.Losslessness;
import dev.outrider.experiment.config.ExperimentConfig;
import dev.outrider.experiment.config.VariantConfig;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.sampling.SamplingPolicy;

/// A variant whose combination is known to work, and to be exact as far as the experiment asks for that. Nothing is loaded yet.
///
/// @param config       its part of the configuration
/// @param rule         decides
/// @param policy       how tokens are chosen
/// @param losslessness what may be promised about its output
record CheckedVariant(
        VariantConfig config,
        AcceptanceRule rule,
        SamplingPolicy policy,
        Losslessness losslessness) {
    /// Check a variant.
    ///
    /// @throws dev.outrider.spi.error.OutriderException LOSSY_NOT_ALLOWED, CAPABILITY_MISSING or UNKNOWN_COMPONENT
    static CheckedVariant of(VariantConfig variant, ExperimentConfig config) {
        SamplingPolicy policy = variant.sampling().orElse(config.sampling());
        DrafterTraits traits = Factories.traits(variant.drafter());
        AcceptanceRule rule =
                variant.rule().map(Factories::rule).orElseGet(() -> Rules.fitting(traits, policy));
        return new CheckedVariant(
                variant,
                rule,
                policy,
                Compatibility.check(traits, rule.traits(), policy, config.allowLossy()));
    }

    /// Name of the rule that decides: at temperature 0 every lossless rule decides as the greedy one.
    String ruleName() {
        boolean argmax = policy.greedy() && rule.traits().lossless();
        return argmax ? new GreedyRule().traits().name() : rule.traits().name();
    }
}
