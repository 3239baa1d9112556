package dev.outrider.engine.acceptance;

import dev.outrider.spi.AcceptanceRule;
import dev.outrider.spi.AcceptanceRuleFactory;

import java.util.List;

/// Makes a rule that has nothing to configure.
///
/// @param rule the rule, which is stateless and shared
public record SimpleRuleFactory(AcceptanceRule rule)
        implements AcceptanceRuleFactory<SimpleRuleFactory.NoSettings> {
    /// The empty configuration.
    public record NoSettings() {}

    /// The built-in rules that need no settings.
    public static List<AcceptanceRuleFactory<?>> builtIn() {
        return List.of(
                new SimpleRuleFactory(new GreedyRule()),
                new SimpleRuleFactory(new TokenRejectionRule()),
                new SimpleRuleFactory(new OneHotRule()),
                new SimpleRuleFactory(new BlockVerificationRule()),
                new SimpleRuleFactory(new MultiStepRule()),
                new SimpleRuleFactory(new WithoutReplacementRule()),
                new SimpleRuleFactory(new TraversalRule()),
                new SimpleRuleFactory(new KSequentialRule()),
                new SimpleRuleFactory(new GumbelCoupledRule()));
    }

    @Override
    public String name() {
        return rule.traits().name();
    }

    @Override
    public Class<NoSettings> configType() {
        return NoSettings.class;
    }

    @Override
    public AcceptanceRule create(NoSettings config) {
        return rule;
    }
}
