package dev.outrider.spi.draft;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Limits of tree plans: larger than the drafts of any paper, small enough for memory and time. Checks widths, and explicit trees: sets of
/// paths from the root that contain the parent of every path.
final class PlanLimits {
    /// Most nodes of a tree, and most of a level.
    static final int MAX_NODES = 4096;

    /// Greatest depth of a tree, and longest chain.
    static final int MAX_DEPTH = 256;

    /// Greatest rank, counted from 0.
    static final int MAX_RANK = 65_535;

    private static final int SHOWN = 8;

    private PlanLimits() {}

    static void requireLength(String name, int value) {
        require(name, value, MAX_DEPTH);
    }

    static void requireNodes(String name, int value) {
        require(name, value, MAX_NODES);
    }

    static void requireWidths(List<Integer> widths) {
        if (widths.isEmpty() || widths.stream().anyMatch(width -> width < 1)) {
            throw new IllegalArgumentException(
                    "widths %s must be positive, at least one".formatted(shown(widths)));
        }
        if (widths.size() > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "widths has %d levels, expected at most %d"
                            .formatted(widths.size(), MAX_DEPTH));
        }
        if (nodes(widths) > MAX_NODES) {
            throw new IllegalArgumentException(
                    "widths %s make more than %d nodes".formatted(shown(widths), MAX_NODES));
        }
    }

    /// Nodes of a tree whose widths were checked.
    static int nodesOf(List<Integer> widths) {
        return (int) nodes(widths);
    }

    /// All nodes, or any number above the most.
    private static long nodes(List<Integer> widths) {
        long level = 1;
        long nodes = 0;
        for (int width : widths) {
            level *= width;
            nodes += level;
            if (nodes > MAX_NODES) {
                break;
            }
        }
        return nodes;
    }

    private static void require(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "%s %d is not between 1 and %d".formatted(name, value, most));
        }
    }

    private static String shown(List<Integer> widths) {
        return widths.size() <= SHOWN ? widths.toString() : "(%d levels)".formatted(widths.size());
    }

    /// The paths, copied.
    ///
    /// @throws IllegalArgumentException if there are none or too many, one is empty, too deep or too wide, is listed
    ///                                  twice or has no parent
    static List<List<Integer>> checkedPaths(List<List<Integer>> paths) {
        if (paths.isEmpty() || paths.size() > MAX_NODES) {
            throw new IllegalArgumentException(
                    paths.isEmpty()
                            ? "at least one rank path is needed"
                            : "%d rank paths are too many, expected at most %d"
                                    .formatted(paths.size(), MAX_NODES));
        }
        var copies = paths.stream().map(List::copyOf).toList();
        copies.forEach(PlanLimits::requireRanks);
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
        if (path.size() > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "a rank path has %d ranks, expected at most %d"
                            .formatted(path.size(), MAX_DEPTH));
        }
        if (path.stream().anyMatch(rank -> rank > MAX_RANK)) {
            throw new IllegalArgumentException(
                    "rank path %s has a rank above %d".formatted(path, MAX_RANK));
        }
    }
}
