package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import java.nio.file.Path;

/// Configuration of the drafter `ngram`. Its distribution is known.
@Doc("Drafts from a table of token pairs counted in a corpus; 'outrider train ngram' makes one.")
public record NgramConfig(
        @Doc("The table, a safetensors file.") Path table,
        @Doc("1 ignores the last token (unigram), 2 looks at it (bigram).") @Default("2") int order,
        @Inline Drafting drafting,
        @Doc(
                        "Weight of the unigram distribution in the bigram distribution, as a number of imagined occurrences; more than 0, less than 1e9.")
                @Default("1")
                double smoothing) {
    public NgramConfig {
        Require.that(order == 1 || order == 2, "order %d must be 1 or 2", order);
        Require.that(
                smoothing > 0 && smoothing < 1e9,
                "smoothing %s must be above 0 and below 1e9",
                smoothing);
    }
}
