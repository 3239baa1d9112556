package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The rules that come with the engine, lossless ones first.
public final class BuiltInRules {
    private BuiltInRules() {}

    /// A factory for each.
    public static List<AcceptanceRule.Factory<?>> factories() {
        return List.of(
                new SimpleRuleFactory(new GreedyRule()),
                new SimpleRuleFactory(new TokenRejectionRule()),
                new SimpleRuleFactory(new SampleAndMatchRule()),
                new SimpleRuleFactory(new GumbelCoupledRule()),
                new SimpleRuleFactory(new BlockVerificationRule()),
                new SimpleRuleFactory(new MultiStepRule()),
                new SimpleRuleFactory(new KSequentialRule()),
                new SimpleRuleFactory(new WithoutReplacementRule()),
                new SimpleRuleFactory(new TraversalRule()),
                new ConfiguredRuleFactory<>(
                        TypicalAcceptanceRule.NAME, TypicalAcceptanceRule.class),
                new ConfiguredRuleFactory<>(LenienceRule.NAME, LenienceRule.class),
                new ConfiguredRuleFactory<>(RelaxedTopKRule.NAME, RelaxedTopKRule.class));
    }
}
