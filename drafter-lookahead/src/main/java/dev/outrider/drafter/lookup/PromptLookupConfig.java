package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;

/// Configuration of the drafter `prompt-lookup`.
///
/// Hugging Face Transformers uses `maxNgram: 2, minNgram: 1, length: 10, occurrence: first,
/// minChance: 0`; vLLM's n-gram drafter searches in the same order, the longest n-gram first and
/// its earliest occurrence, with other lengths.
@Doc(
        "Drafts what followed the last few tokens where they occurred before, in the source of an encoder-decoder too; prompt"
                + " lookup, n-gram drafting.")
public record PromptLookupConfig(
        @Doc("Most tokens that are searched for, 1 to 32.") @Default("4") int maxNgram,
        @Doc("Fewest tokens that are searched for, 1 to maxNgram.") @Default("1") int minNgram,
        @Doc("Most tokens drafted a round, 1 to 1024.") @Default("10") int length,
        @Doc(
                        "Which of several occurrences is continued: first, as in Transformers and vLLM, or last, the most"
                                + " recent.")
                @Default("first")
                Occurrence occurrence,
        @Doc(
                        "Draft a token only while the chance that it and all before it are right, judged by how the"
                                + " lookup did on the text so far, is at least this; 0 always drafts.")
                @Default("0.1")
                double minChance,
        @Doc("Most tokens remembered, at least 16; the older half is forgotten when it is reached.")
                @Default("131072")
                int window) {
    /// The occurrence whose continuation is guessed.
    public enum Occurrence {
        /// The earliest.
        FIRST,
        /// The most recent.
        LAST
    }

    private static final int MAX_NGRAM = 32;
    private static final int MAX_LENGTH = 1024;

    public PromptLookupConfig {
        Require.between("maxNgram", maxNgram, 1, MAX_NGRAM);
        Require.between("minNgram", minNgram, 1, maxNgram);
        Require.between("length", length, 1, MAX_LENGTH);
        Require.share("minChance", minChance);
        Require.that(window >= WindowedIndex.MIN_WINDOW, "window %d must be at least 16", window);
    }

    DrafterTraits traits() {
        return DrafterTraits.chain(length);
    }
}
