package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.AcceptanceRule;

/// Makes a rule whose settings are its own record components.
///
/// @param <R>        a rule that is a record
/// @param name       the rule's name
/// @param configType the rule
record ConfiguredRuleFactory<R extends Record & AcceptanceRule>(String name, Class<R> configType)
        implements AcceptanceRule.Factory<R> {
    @Override
    public AcceptanceRule create(R config) {
        return config;
    }
}
