package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.AcceptanceRuleFactory;

/// Makes a rule whose settings are its own record components.
///
/// @param <R>        a rule that is a record
/// @param name       the rule's name
/// @param configType the rule
record ConfiguredRuleFactory<R extends Record & AcceptanceRule>(String name, Class<R> configType)
        implements AcceptanceRuleFactory<R> {
    @Override
    public AcceptanceRule create(R config) {
        return config;
    }
}
