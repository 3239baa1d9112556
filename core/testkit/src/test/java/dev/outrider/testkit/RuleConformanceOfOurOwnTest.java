package dev.outrider.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.engine.acceptance.BlockVerificationRule;
import dev.outrider.engine.acceptance.BuiltInRules;
import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.acceptance.GumbelCoupledRule;
import dev.outrider.engine.acceptance.KSequentialRule;
import dev.outrider.engine.acceptance.LenienceRule;
import dev.outrider.engine.acceptance.MultiStepRule;
import dev.outrider.engine.acceptance.RelaxedTopKRule;
import dev.outrider.engine.acceptance.SampleAndMatchRule;
import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.acceptance.TraversalRule;
import dev.outrider.engine.acceptance.TypicalAcceptanceRule;
import dev.outrider.engine.acceptance.WithoutReplacementRule;
import dev.outrider.spi.rule.AcceptanceRule;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Every registered rule passes the suite that third parties extend.
class RuleConformanceOfOurOwnTest {
    @Nested
    class Greedy extends Suite {
        Greedy() {
            super(new GreedyRule());
        }
    }

    @Nested
    class Token extends Suite {
        Token() {
            super(new TokenRejectionRule());
        }
    }

    @Nested
    class OneHot extends Suite {
        OneHot() {
            super(new SampleAndMatchRule());
        }

        /// It judges what every drafter drafts, so this takes as long as all other rules together.
        @Override
        @Test
        @Tag("nightly")
        void everyDeclaredPairingIsExactForTwoRounds() {
            super.everyDeclaredPairingIsExactForTwoRounds();
        }
    }

    @Nested
    class GumbelCoupled extends Suite {
        GumbelCoupled() {
            super(new GumbelCoupledRule());
        }

        @Override
        @Test
        @Tag("nightly")
        void everyDeclaredPairingIsExactForTwoRounds() {
            super.everyDeclaredPairingIsExactForTwoRounds();
        }
    }

    @Nested
    class Block extends Suite {
        Block() {
            super(new BlockVerificationRule());
        }
    }

    @Nested
    class MultiStep extends Suite {
        MultiStep() {
            super(new MultiStepRule());
        }
    }

    @Nested
    class KSequential extends Suite {
        KSequential() {
            super(new KSequentialRule());
        }
    }

    @Nested
    class WithoutReplacement extends Suite {
        WithoutReplacement() {
            super(new WithoutReplacementRule());
        }
    }

    @Nested
    class Traversal extends Suite {
        Traversal() {
            super(new TraversalRule());
        }
    }

    @Nested
    class Typical extends Suite {
        Typical() {
            super(new TypicalAcceptanceRule(.09, .3));
        }
    }

    @Nested
    class Lenience extends Suite {
        Lenience() {
            super(new LenienceRule(.5));
        }
    }

    @Nested
    class RelaxedTopK extends Suite {
        RelaxedTopK() {
            super(new RelaxedTopKRule(2, 0));
        }
    }

    @Test
    void noRegisteredRuleIsMissingHere() {
        assertThat(BuiltInRules.factories().stream().map(AcceptanceRule.Factory::name))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(RuleConformanceOfOurOwnTest.class.getDeclaredClasses())
                                .filter(nested -> nested.isAnnotationPresent(Nested.class))
                                .map(this::rule)
                                .map(rule -> rule.traits().name())
                                .toList());
    }

    private AcceptanceRule rule(Class<?> nested) {
        try {
            return ((Suite) nested.getDeclaredConstructors()[0].newInstance(this)).rule();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    abstract static class Suite extends AcceptanceRuleConformance {
        private final AcceptanceRule rule;

        Suite(AcceptanceRule rule) {
            this.rule = rule;
        }

        @Override
        protected AcceptanceRule rule() {
            return rule;
        }
    }
}
