package com.example.handicap;

import dev.outrider.spi.rule.AcceptanceRule;

/// Makes the rule. Thread-safe.
public final class HandicapFactory implements AcceptanceRule.Factory<HandicapConfig> {
    @Override
    public String name() {
        return "handicap";
    }

    @Override
    public Class<HandicapConfig> configType() {
        return HandicapConfig.class;
    }

    @Override
    public AcceptanceRule create(HandicapConfig config) {
        return new HandicapRule(config);
    }
}
