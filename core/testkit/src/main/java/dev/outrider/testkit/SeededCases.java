package dev.outrider.testkit;

import dev.outrider.spi.tree.TokenTree;
import java.util.SplittableRandom;

/// Random prompts and trees that can be repeated: add [#replay()] to the
/// message of every assertion, and pass `-Dseed=…` with the number that a failure prints. Confined
/// to one thread.
public final class SeededCases {
    private final long seed = Long.getLong("seed", 20260101L);
    private final SplittableRandom random = new SplittableRandom(seed);
    private final int vocabulary;

    /// Uses the seed of the system property `seed`, or a fixed one.
    ///
    /// @param vocabulary number of tokens V
    public SeededCases(int vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// Returns how to repeat the same cases.
    ///
    /// @return text for a failure message
    public String replay() {
        return "replay with -Dseed=%d".formatted(seed);
    }

    /// {@return a token of the vocabulary}
    public int token() {
        return random.nextInt(vocabulary);
    }

    /// {@return a number from 0 to `bound - 1`}
    ///
    /// @param bound number of values, at least 1
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /// {@return this many tokens}
    ///
    /// @param count number of tokens
    public int[] tokens(int count) {
        return random.ints(count, 0, vocabulary).toArray();
    }

    /// {@return a tree with up to `nodes` nodes below the root, wide or deep}
    ///
    /// @param nodes maximum number of nodes below the root
    public TokenTree tree(int nodes) {
        var tree = TokenTree.builder(token());
        int count = random.nextInt(nodes + 1);
        for (int node = 0; node < count; node++) {
            int newest = tree.size() - 1;
            int parent = random.nextBoolean() ? newest : random.nextInt(tree.size());
            tree.add(parent, token());
        }
        return tree.build();
    }
}
