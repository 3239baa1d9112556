package dev.outrider.spi.draft;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Limits of tree plans: larger than the drafts of any paper, small enough for memory and time. Checks widths, and explicit trees: sets of
/// paths from the root that contain the parent of every path.
final class PlanLimits {
    /// The most nodes of a tree, and of a level.
    static final int MAX_NODES = 4096;

    /// Greatest depth of a tree, and longest chain.
    static final int MAX_DEPTH = 256;

    /// Greatest rank, counted from 0.
    static final int MAX_RANK = 65_535;

    private static final int SHOWN = 8;

    private PlanLimits() {}

    static void requireLength(String name, int value) {
        requireUpTo(name, value, MAX_DEPTH);
    }

    static void requireNodes(String name, int value) {
        requireUpTo(name, value, MAX_NODES);
    }

    static void requireWidths(List<Integer> widths) {
        require(
                !widths.isEmpty() && widths.stream().allMatch(width -> width >= 1),
                "widths %s must be positive, at least one",
                shown(widths));
        require(
                widths.size() <= MAX_DEPTH,
                "widths has %d levels, expected at most %d",
                widths.size(),
                MAX_DEPTH);
        require(
                nodes(widths) <= MAX_NODES,
                "widths %s make more than %d nodes",
                shown(widths),
                MAX_NODES);
    }

    /// Nodes of a tree whose widths were checked.
    static int nodesOf(List<Integer> widths) {
        return (int) nodes(widths);
    }

    /// Returns the number of nodes, or any number above the most.
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

    private static void requireUpTo(String name, int value, int most) {
        require(value >= 1 && value <= most, "%s %d is not between 1 and %d", name, value, most);
    }

    private static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }

    private static String shown(List<Integer> widths) {
        return widths.size() <= SHOWN ? widths.toString() : "(%d levels)".formatted(widths.size());
    }

    /// Returns a checked copy of the paths.
    ///
    /// @throws IllegalArgumentException if there are none or too many, one is empty, too deep or too wide, is listed
    ///                                  twice or has no parent
    static List<List<Integer>> checkedPaths(List<List<Integer>> paths) {
        require(!paths.isEmpty(), "at least one rank path is needed");
        require(
                paths.size() <= MAX_NODES,
                "%d rank paths are too many, expected at most %d",
                paths.size(),
                MAX_NODES);
        var copies = paths.stream().map(List::copyOf).toList();
        copies.forEach(PlanLimits::requireRanks);
        Set<List<Integer>> seen = new HashSet<>();
        seen.add(List.of());
        for (var path : copies.stream().sorted(Comparator.comparingInt(List::size)).toList()) {
            require(
                    seen.contains(path.subList(0, path.size() - 1)),
                    "rank path %s has no parent path",
                    path);
            require(seen.add(path), "rank path %s is listed twice", path);
        }
        return copies;
    }

    /// Refuses paths with gaps among siblings: draws are counted, and a dropped draw would bias the output.
    static void requireElderSiblings(List<List<Integer>> paths) {
        var all = new HashSet<>(paths);
        for (var path : paths) {
            int rank = path.getLast();
            require(
                    rank <= 0 || all.contains(withRank(path, rank - 1)),
                    "rank path %s has no elder sibling %s, and draws are counted without gaps",
                    path,
                    withRank(path, rank - 1));
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
        require(
                !path.isEmpty() && path.stream().allMatch(rank -> rank >= 0),
                "rank path %s must list ranks >= 0",
                path);
        require(
                path.size() <= MAX_DEPTH,
                "a rank path has %d ranks, expected at most %d",
                path.size(),
                MAX_DEPTH);
        require(
                path.stream().allMatch(rank -> rank <= MAX_RANK),
                "rank path %s has a rank above %d",
                path,
                MAX_RANK);
    }
}
