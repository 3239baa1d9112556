package dev.outrider.spi.draft;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks explicit trees: sets of paths from the root that contain the parent of every path.
final class RankPathSet {
    /// Greatest rank, counted from 0.
    static final int MAX_RANK = 65_535;

    private RankPathSet() {}

    /// The paths, copied.
    ///
    /// @throws IllegalArgumentException if there are none or too many, one is empty, too deep or too wide, is listed
    ///                                  twice or has no parent
    static List<List<Integer>> checked(List<List<Integer>> paths) {
        if (paths.isEmpty() || paths.size() > PlanLimits.MAX_NODES) {
            throw new IllegalArgumentException(
                    paths.isEmpty()
                            ? "at least one rank path is needed"
                            : "%d rank paths are too many, expected at most %d"
                                    .formatted(paths.size(), PlanLimits.MAX_NODES));
        }
        var copies = paths.stream().map(List::copyOf).toList();
        copies.forEach(RankPathSet::requireRanks);
        Set<List<Integer>> seen = new HashSet<>();
        seen.add(List.of());
        for (var path : copies.stream().sorted(Comparator.comparingInt(List::size)).toList()) {
            if (!seen.contains(path.subList(0, path.size() - 1))) {
                throw new IllegalArgumentException(
                        "rank path %s has no parent path".formatted(path));
            }
            if (!seen.add(path)) {
                throw new IllegalArgumentException("rank path %s is listed twice".formatted(path));
            }
        }
        return copies;
    }

    /// Refuses paths with gaps among siblings: draws are counted, and a draw that is not kept would bias the output.
    static void requireElderSiblings(List<List<Integer>> paths) {
        var all = new HashSet<>(paths);
        for (var path : paths) {
            int rank = path.getLast();
            if (rank > 0 && !all.contains(withRank(path, rank - 1))) {
                throw new IllegalArgumentException(
                        "rank path %s has no elder sibling %s, and draws are counted without gaps"
                                .formatted(path, withRank(path, rank - 1)));
            }
        }
    }

    static int depth(List<List<Integer>> paths) {
        return paths.stream().mapToInt(List::size).max().orElseThrow();
    }

    private static List<Integer> withRank(List<Integer> path, int rank) {
        var other = new ArrayList<>(path);
        other.set(path.size() - 1, rank);
        return other;
    }

    private static void requireRanks(List<Integer> path) {
        if (path.isEmpty() || path.stream().anyMatch(rank -> rank < 0)) {
            throw new IllegalArgumentException("rank path %s must list ranks >= 0".formatted(path));
        }
        if (path.size() > PlanLimits.MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "a rank path has %d ranks, expected at most %d"
                            .formatted(path.size(), PlanLimits.MAX_DEPTH));
        }
        if (path.stream().anyMatch(rank -> rank > MAX_RANK)) {
            throw new IllegalArgumentException(
                    "rank path %s has a rank above %d".formatted(path, MAX_RANK));
        }
    }
}
