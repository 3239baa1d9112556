package dev.outrider.engine.length.tree;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Plain decoding and the first 1, 2, 4, … nodes of a tree, level by level, up to the whole of it: what rounds are timed with. Not thread-safe.
final class Ladder {
    /// More nodes are not fitted.
    static final int MAX_NODES = 256;

    private final List<AskedTree> rungs = new ArrayList<>();
    private final long[] lastUsed;
    private long uses;

    /// @param tree rank paths, elder siblings first; at least one
    Ladder(List<List<Integer>> tree) {
        var levels =
                tree.stream()
                        .sorted(Comparator.comparingInt(List::size))
                        .limit(MAX_NODES)
                        .toList();
        rungs.add(AskedTree.of(rungs.size(), List.of()));
        for (int size = 1; size < levels.size(); size *= 2) {
            rungs.add(AskedTree.of(rungs.size(), levels.subList(0, size)));
        }
        rungs.add(AskedTree.of(rungs.size(), levels));
        lastUsed = new long[rungs.size()];
    }

    /// Number of rungs.
    int size() {
        return rungs.size();
    }

    /// Plain decoding.
    AskedTree plain() {
        return rungs.getFirst();
    }

    /// The whole tree.
    AskedTree whole() {
        return rungs.getLast();
    }

    AskedTree rung(int number) {
        return rungs.get(number);
    }

    /// Notes that a tree was asked for, a rung or not.
    void used(AskedTree asked) {
        if (asked.number() < lastUsed.length) {
            lastUsed[asked.number()] = ++uses;
        }
    }

    /// The rung that was longest not used, but one.
    AskedTree oldest(AskedTree but) {
        return rungs.stream()
                .filter(rung -> rung.number() != but.number())
                .min(Comparator.comparingLong(rung -> lastUsed[rung.number()]))
                .orElseThrow();
    }
}
