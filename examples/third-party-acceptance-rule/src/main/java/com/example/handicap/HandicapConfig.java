package com.example.handicap;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The keys a configuration can give. `outrider plugins describe handicap` prints them from these annotations.
@Doc(
        "Accepts guesses less often than it could, and stays exact: the same drafter, as if it guessed worse.")
public record HandicapConfig(
        @Doc(
                        "Guesses pass with probability min(1, p / (divisor q)); 1 is the usual rule, at least 1.")
                @Default("1")
                double divisor) {
    public HandicapConfig {
        if (!(divisor >= 1 && divisor < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "divisor %s must be a number of at least 1".formatted(divisor));
        }
    }
}
