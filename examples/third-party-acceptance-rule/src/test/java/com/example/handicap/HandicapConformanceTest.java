package com.example.handicap;

import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.testkit.AcceptanceRuleConformance;
import org.junit.jupiter.api.Nested;

/// Proves the rule exact: every draft and every random outcome on small vocabularies is enumerated, with the class unchanged.
class HandicapConformanceTest {
    @Nested
    class TheUsualRule extends WithDivisor {
        TheUsualRule() {
            super(1);
        }
    }

    @Nested
    class HalfAsOften extends WithDivisor {
        HalfAsOften() {
            super(2);
        }
    }

    abstract static class WithDivisor extends AcceptanceRuleConformance {
        private final double divisor;

        WithDivisor(double divisor) {
            this.divisor = divisor;
        }

        @Override
        protected AcceptanceRule rule() {
            return new HandicapFactory().create(new HandicapConfig(divisor));
        }
    }
}
