package dev.outrider.engine.acceptance;

import dev.outrider.spi.rule.AcceptanceRule;
import java.util.List;

/// The rules that come with the engine, lossless ones first.
public final class BuiltInRules {
    private BuiltInRules() {}

    /// Returns one factory per rule.
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

    /// Makes a rule whose settings are its own record components.
    ///
    /// @param <R>        a rule that is a record
    /// @param name       the rule's name
    /// @param configType the rule
    private record ConfiguredRuleFactory<R extends Record & AcceptanceRule>(
            String name, Class<R> configType) implements AcceptanceRule.Factory<R> {
        @Override
        public AcceptanceRule create(R config) {
            return config;
        }
    }

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
}
