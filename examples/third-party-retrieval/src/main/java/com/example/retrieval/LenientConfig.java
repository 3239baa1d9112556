package com.example.retrieval;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The keys a configuration can give.
@Doc("Accepts every guess that is nearly as probable as the target's favourite. Not exact.")
public record LenientConfig(
        @Doc("Least probability of a guess, over that of the favourite; above 0, at most 1.")
                @Default("0.3")
                double ratio) {
    public LenientConfig {
        if (!(ratio > 0 && ratio <= 1)) {
            throw new IllegalArgumentException(
                    "ratio %s must be above 0 and at most 1".formatted(ratio));
        }
    }
}
