package com.example.retrieval;

import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import java.nio.file.Path;

/// The keys a configuration can give. The datastore has no default, so it must be given.
@Doc("Guesses what followed the last tokens in a text file.")
public record RetrievalConfig(
        @Doc("Text to look in, UTF-8.") Path datastore,
        @Doc("Tokens that must agree, at least 1.") @Default("2") int match,
        @Doc("Continuations tried a round, at least 1.") @Default("4") int continuations,
        @Doc("Tokens of a continuation, at least 1.") @Default("5") int length) {
    public RetrievalConfig {
        if (match < 1 || continuations < 1 || length < 1) {
            throw new IllegalArgumentException(
                    "match %d, continuations %d and length %d must be at least 1"
                            .formatted(match, continuations, length));
        }
    }
}
