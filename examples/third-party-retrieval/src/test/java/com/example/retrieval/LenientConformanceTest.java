package com.example.retrieval;

import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.testkit.AcceptanceRuleConformance;

/// A lossy rule need not be exact. It must be lossy as it says, take every kind of draft it says, and keep the rest of the contract.
class LenientConformanceTest extends AcceptanceRuleConformance {
    @Override
    protected AcceptanceRule rule() {
        return new LenientFactory().create(new LenientConfig(.3));
    }
}
