package com.example.fuzzylookup;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;

/// The keys a configuration can give. `outrider plugins describe fuzzy-lookup` prints them from these annotations.
@Doc("Guesses what followed where nearly the same tokens occurred before.")
public record FuzzyLookupConfig(
        @Doc("Tokens compared, the last one included, at least 1.") @Default("8") int window,
        @Doc("How many of them may differ, less than the window; the last one never does.")
                @Default("6")
                int mismatches,
        @Doc("Tokens drafted a round, at least 1.") @Default("5") int length) {
    public FuzzyLookupConfig {
        if (window < 1) {
            throw new IllegalArgumentException("window %d must be at least 1".formatted(window));
        }
        if (mismatches < 0 || mismatches >= window) {
            throw new IllegalArgumentException(
                    "mismatches %d must be between 0 and window - 1, which is %d"
                            .formatted(mismatches, window - 1));
        }
        if (length < 1) {
            throw new IllegalArgumentException("length %d must be at least 1".formatted(length));
        }
    }
}
