package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.drafting.Drafting;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.config.Inline;
import dev.outrider.spi.draft.DrafterTraits;
import java.nio.file.Path;

/// Configurations of the lookup drafters.
public final class LookupConfigs {
    private LookupConfigs() {}

    /// Configuration of the drafter `adaptive-ngram`.
    @Doc(
            "Drafts trees or chains from a store of n-grams that fills itself: from the prompt, from the text, and from the"
                    + " target's own best tokens wherever it scored.")
    public record AdaptiveNgramConfig(
            @Doc("Longest n-grams, the guessed token included, 2 to 16.") @Default("4")
                    int maxOrder,
            @Doc(
                            "Shortest n-grams, 2 to maxOrder: shorter ones are looked up where longer ones do not know enough."
                                    + " As much as maxOrder is one level.")
                    @Default("2")
                    int minOrder,
            @Doc(
                            "How many of the target's best tokens are learnt at every node that it scores, rejected ones"
                                    + " included, 0 to 8; 0 learns from the text alone.")
                    @Default("8")
                    int topK,
            @Doc(
                            "Most contexts remembered, of all orders together, 16 to 4194304, each of up to 200 bytes; the one"
                                    + " that was longest not learnt from is forgotten.")
                    @Default("65536")
                    int capacity,
            @Inline RankedDrafting drafting) {
        private static final int MAX_ORDER = 16;
        private static final int MIN_CAPACITY = 16;
        private static final int MAX_CAPACITY = 1 << 22;

        public AdaptiveNgramConfig {
            Require.that(
                    minOrder >= 2 && maxOrder <= MAX_ORDER,
                    "minOrder %d and maxOrder %d must be between 2 and 16",
                    minOrder,
                    maxOrder);
            Require.that(
                    minOrder <= maxOrder,
                    "minOrder %d must not exceed maxOrder %d",
                    minOrder,
                    maxOrder);
            Require.that(
                    topK >= 0 && topK <= RankTree.MAX_RANKS,
                    "topK %d must be between 0 and 8",
                    topK);
            Require.that(
                    capacity >= MIN_CAPACITY && capacity <= MAX_CAPACITY,
                    "capacity %d must be between 16 and 4194304",
                    capacity);
        }

        DrafterTraits traits() {
            var traits = drafting.traits();
            return topK > 0 ? traits.readingRejectedNodes() : traits;
        }
    }

    /// Configuration of the drafter `datastore`.
    @Doc(
            "Drafts trees of the most frequent continuations of the text's longest suffix that a corpus on disk has;"
                    + " 'outrider train datastore' makes one.")
    public record DatastoreConfig(
            @Doc("The datastore, a folder.") Path path,
            @Doc(
                            "Longest suffix that is looked up, in tokens; with depth at most what the datastore sorted, 32 unless it was made otherwise.")
                    @Default("16")
                    int maxMatch,
            @Doc("Shortest suffix that is worth a guess, in tokens.") @Default("2") int minMatch,
            @Doc("Most nodes of a draft, 1 to 1024; published: 64.") @Default("16") int nodes,
            @Doc("Greatest depth of a draft, at most nodes.") @Default("8") int depth,
            @Doc(
                            "Least share of the matches, and one more, that must go on with a guess, 0 to 1; published: 0.")
                    @Default("0.1")
                    double minChance) {
        private static final int MAX_NODES = 1024;

        public DatastoreConfig {
            Require.that(
                    minMatch >= 1 && minMatch <= maxMatch,
                    "minMatch %d and maxMatch %d must satisfy 1 <= minMatch <= maxMatch",
                    minMatch,
                    maxMatch);
            Require.that(
                    nodes >= 1 && nodes <= MAX_NODES,
                    "nodes %d must be between 1 and %d",
                    nodes,
                    MAX_NODES);
            Require.that(
                    depth >= 1 && depth <= nodes,
                    "depth %d must be between 1 and nodes %d",
                    depth,
                    nodes);
            Require.that(
                    minChance >= 0 && minChance <= 1,
                    "minChance %s must be between 0 and 1",
                    minChance);
        }

        DrafterTraits traits() {
            return DrafterTraits.tree(nodes, depth);
        }
    }

    /// Configuration of the drafter `ngram`. Its distribution is known.
    @Doc(
            "Drafts from a table of token pairs counted in a corpus; 'outrider train ngram' makes one.")
    public record NgramConfig(
            @Doc("The table, a safetensors file.") Path table,
            @Doc("1 ignores the last token (unigram), 2 looks at it (bigram).") @Default("2")
                    int order,
            @Inline Drafting drafting,
            @Doc(
                            "Weight of the unigram distribution in the bigram distribution, as a number of imagined occurrences; more than 0, less than 1e9.")
                    @Default("1")
                    double smoothing) {
        public NgramConfig {
            if (order != 1 && order != 2) {
                throw new IllegalArgumentException("order %d must be 1 or 2".formatted(order));
            }
            if (!(smoothing > 0 && smoothing < 1e9)) {
                throw new IllegalArgumentException(
                        "smoothing %s must be above 0 and below 1e9".formatted(smoothing));
            }
        }
    }

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
            @Doc(
                            "Most tokens remembered, at least 16; the older half is forgotten when it is reached.")
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
            Require.that(
                    minNgram >= 1 && maxNgram <= MAX_NGRAM,
                    "minNgram %d and maxNgram %d must be between 1 and 32",
                    minNgram,
                    maxNgram);
            Require.that(
                    minNgram <= maxNgram,
                    "minNgram %d must not exceed maxNgram %d",
                    minNgram,
                    maxNgram);
            Require.that(
                    length >= 1 && length <= MAX_LENGTH,
                    "length %d must be between 1 and 1024",
                    length);
            Require.that(
                    minChance >= 0 && minChance <= 1,
                    "minChance %s must be between 0 and 1",
                    minChance);
            Require.that(
                    window >= WindowedIndex.MIN_WINDOW, "window %d must be at least 16", window);
        }

        DrafterTraits traits() {
            return DrafterTraits.chain(length);
        }
    }

    /// Configuration of the drafter `suffix-automaton`. As published (SAM-Decoding, without a corpus and without a second
    /// drafter) is `length: 40, branches: 1, minMatch: 1, minChance: 0`.
    @Doc(
            "Drafts what followed the longest suffix of the text that occurred before, in the source of an encoder-decoder too.")
    public record SuffixAutomatonConfig(
            @Doc(
                            "Most tokens of one continuation, 1 to 1024; a match of m tokens is continued by at most 1 + 4 m.")
                    @Default("40")
                    int length,
            @Doc(
                            "Continuations that are drafted together as a tree, 1 (a chain) to 16: those of the longest match"
                                    + " and of shorter suffixes of it that occurred elsewhere.")
                    @Default("1")
                    int branches,
            @Doc("Fewest tokens a match must have, at least 1.") @Default("1") int minMatch,
            @Doc(
                            "Draft a token only while the chance that it and all before it are right, judged by how the"
                                    + " lookup did on the text so far, is at least this; 0 always drafts.")
                    @Default("0.1")
                    double minChance,
            @Doc(
                            "Most tokens remembered, at least 16; the older half is forgotten when it is reached.")
                    @Default("131072")
                    int window) {
        private static final int MAX_LENGTH = 1024;
        private static final int MAX_BRANCHES = 16;

        public SuffixAutomatonConfig {
            Require.that(
                    length >= 1 && length <= MAX_LENGTH,
                    "length %d must be between 1 and 1024",
                    length);
            Require.that(
                    branches >= 1 && branches <= MAX_BRANCHES,
                    "branches %d must be between 1 and 16",
                    branches);
            Require.that(minMatch >= 1, "minMatch %d must be at least 1", minMatch);
            Require.that(
                    minChance >= 0 && minChance <= 1,
                    "minChance %s must be between 0 and 1",
                    minChance);
            Require.that(
                    window >= WindowedIndex.MIN_WINDOW, "window %d must be at least 16", window);
        }

        DrafterTraits traits() {
            return (branches == 1
                    ? DrafterTraits.chain(length)
                    : DrafterTraits.tree(length * branches, length));
        }
    }

    /// Configuration of the drafter `token-recycling`. As published: `nodes: 80, depth: 6, seedFromPrompt: false,
    /// keepAcrossSequences: true`; the static tree of 80 nodes there has levels of 8, 21, 25, 15, 8 and 3 nodes, the one grown
    /// here 8, 21, 25, 14, 11 and 1.
    @Doc(
            "Drafts trees from a matrix of likely successors, refreshed from everything the target scores.")
    public record TokenRecyclingConfig(@Inline RankedDrafting drafting) {
        DrafterTraits traits() {
            return drafting.traits().readingRejectedNodes();
        }
    }
}
