package dev.outrider.drafter.lookahead;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// N-grams of the window, the prompt or the output: for every first token the most recent ones. A
/// repeated n-gram becomes the newest; a full list drops its oldest.
///
/// Memory: at most `V G (N - 1)` tokens, and never more n-grams than were added. Confined to one
/// thread.
///
/// @see "Fu et al. 2024, section 3.2: n-gram pool; docs/reference/algorithms.md A6.2"
final class NGramPool {
    private final int perKey;
    private final Map<Integer, List<int[]>> byKey = new HashMap<>();

    /// @param perKey n-grams kept for one first token, at least 1
    NGramPool(int perKey) {
        this.perKey = perKey;
    }

    /// Adds an n-gram.
    ///
    /// @param key       its first token
    /// @param following the tokens after it; kept, not copied
    void add(int key, int[] following) {
        var grams = byKey.computeIfAbsent(key, _ -> new ArrayList<>());
        grams.removeIf(known -> Arrays.equals(known, following));
        if (grams.size() == perKey) {
            grams.removeFirst();
        }
        grams.addLast(following);
    }

    /// Adds every n-gram of `length` tokens in `tokens`.
    void addAll(int[] tokens, int length) {
        for (int start = 0; start + length <= tokens.length; start++) {
            add(tokens[start], Arrays.copyOfRange(tokens, start + 1, start + length));
        }
    }

    /// Returns the tokens after `key` in its n-grams, the newest n-gram first. The caller must not
    /// change them.
    List<int[]> following(int key) {
        return byKey.getOrDefault(key, List.of()).reversed();
    }

    /// Returns the number of n-grams.
    int size() {
        return byKey.values().stream().mapToInt(List::size).sum();
    }
}
