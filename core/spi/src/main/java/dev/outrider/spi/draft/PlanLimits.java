package dev.outrider.spi.draft;

import java.util.List;

/// Limits of tree plans: far above the drafts of any paper, far below what would stop a run.
final class PlanLimits {
    /// Most nodes of a tree, and most of a level.
    static final int MAX_NODES = 4096;

    /// Greatest depth of a tree, and longest chain.
    static final int MAX_DEPTH = 256;

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
}
