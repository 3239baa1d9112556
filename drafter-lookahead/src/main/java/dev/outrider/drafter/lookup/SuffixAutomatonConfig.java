package dev.outrider.drafter.lookup;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterTraits;

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
        @Doc("Most tokens remembered, at least 16; the older half is forgotten when it is reached.")
                @Default("131072")
                int window) {
    private static final int MAX_LENGTH = 1024;
    private static final int MAX_BRANCHES = 16;

    public SuffixAutomatonConfig {
        Require.between("length", length, 1, MAX_LENGTH);
        Require.between("branches", branches, 1, MAX_BRANCHES);
        Require.atLeast("minMatch", minMatch, 1);
        Require.share("minChance", minChance);
        Require.that(window >= WindowedIndex.MIN_WINDOW, "window %d must be at least 16", window);
    }

    DrafterTraits traits() {
        return (branches == 1
                ? DrafterTraits.chain(length)
                : DrafterTraits.tree(length * branches, length));
    }
}
