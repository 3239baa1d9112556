package dev.outrider.engine.acceptance;

import dev.outrider.engine.acceptance.BuiltInRules.SimpleRuleFactory;
import dev.outrider.engine.plugins.Factories;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The engine's rules with default settings; lenience, which has no default, multiplies the draft's
/// distribution by 0.5.
public final class RegisteredRules {
    private RegisteredRules() {}

    /// Returns all rules, in order of registration.
    public static List<AcceptanceRule> all() {
        return BuiltInRules.factories().stream().map(RegisteredRules::rule).toList();
    }

    /// Returns one rule.
    public static AcceptanceRule named(String name) {
        return all().stream()
                .filter(rule -> rule.traits().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static AcceptanceRule rule(AcceptanceRule.Factory<?> factory) {
        return Factories.rule(
                factory,
                switch (factory.name()) {
                    case TypicalAcceptanceRule.NAME -> new TypicalAcceptanceRule(.09, .3);
                    case LenienceRule.NAME -> new LenienceRule(.5);
                    case RelaxedTopKRule.NAME -> new RelaxedTopKRule(2, 0);
                    default -> noSettings(factory);
                });
    }

    private static Record noSettings(AcceptanceRule.Factory<?> factory) {
        if (factory.configType() != SimpleRuleFactory.NoSettings.class) {
            throw new IllegalStateException(
                    "rule '%s' has settings: give them in a line of RegisteredRules"
                            .formatted(factory.name()));
        }
        return new SimpleRuleFactory.NoSettings();
    }
}
