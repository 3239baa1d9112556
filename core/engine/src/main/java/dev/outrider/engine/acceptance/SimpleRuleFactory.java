package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.AcceptanceRule;

/// Makes a rule that has nothing to configure.
///
/// @param rule the rule, which is stateless and shared
public record SimpleRuleFactory(AcceptanceRule rule)
        implements AcceptanceRule.Factory<SimpleRuleFactory.NoSettings> {
    /// The empty configuration.
    public record NoSettings() {}

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
