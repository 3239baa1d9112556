package com.example.retrieval;

import dev.outrider.spi.rule.AcceptanceRule;

/// Makes the rule. Thread-safe.
public final class LenientFactory implements AcceptanceRule.Factory<LenientConfig> {
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
