package com.example.retrieval;

import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.AcceptanceRuleFactory;

/// Makes the rule. Thread-safe.
public final class LenientFactory implements AcceptanceRuleFactory<LenientConfig> {
    @Override
    public String name() {
        return "lenient";
    }

    @Override
    public Class<LenientConfig> configType() {
        return LenientConfig.class;
    }

    @Override
    public AcceptanceRule create(LenientConfig config) {
        return new LenientRule(config);
    }
}
