package dev.outrider.testkit;

import dev.outrider.spi.TokenTree;
import java.util.SplittableRandom;

/// Random prompts and trees that can be replayed: pass `-Dseed=…` with the number a failure prints.
final class SeededCases {
    private final long seed = Long.getLong("seed", 20260101L);
    private final SplittableRandom random = new SplittableRandom(seed);
    private final int vocabulary;

    SeededCases(int vocabulary) {
        this.vocabulary = vocabulary;
    }

    /// How to see the same cases again.
    String replay() {
        return "replay with -Dseed=%d".formatted(seed);
    }

    int token() {
        return random.nextInt(vocabulary);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    int[] tokens(int count) {
        return random.ints(count, 0, vocabulary).toArray();
    }

    /// A tree with up to `nodes` nodes below the root, bushy or deep.
    TokenTree tree(int nodes) {
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
