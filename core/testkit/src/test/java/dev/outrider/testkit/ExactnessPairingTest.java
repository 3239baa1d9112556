package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.acceptance.BuiltInRules.SimpleRuleFactory;
import dev.outrider.spi.rule.RuleTraits;
import org.junit.jupiter.api.Test;

class ExactnessPairingTest {
    /// A new exact rule needs a line in [ExactnessPairing#all], or no drafter is tested with it.
    @Test
    void everyDrafterIsEnumeratedWithEveryExactRule() {
        var exact =
                BuiltInRules.factories().stream()
                        .filter(SimpleRuleFactory.class::isInstance)
                        .map(factory -> ((SimpleRuleFactory) factory).rule().traits())
                        .filter(traits -> traits.promise() == RuleTraits.Promise.EXACT)
                        .map(RuleTraits::name);

        assertThat(ExactnessPairing.all())
                .extracting(pairing -> pairing.rule().traits().name())
                .containsAll(exact.toList());
    }
}
