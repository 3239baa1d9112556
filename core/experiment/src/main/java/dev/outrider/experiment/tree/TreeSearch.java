package dev.outrider.experiment.tree;

/// What to search.
///
/// @param ranks      ranks whose acceptance is measured, 1 to 32: most children of a node
/// @param probeDepth depth of the full tree it is measured in, 1 to 3; that tree has up to `ranks^probeDepth` leaves
/// @param maxNodes   most nodes of the tree wanted, 1 to 512
/// @param maxDepth   greatest depth of it, 1 to 32
public record TreeSearch(int ranks, int probeDepth, int maxNodes, int maxDepth) {
    private static final int MAX_PROBED = 1024;

    public TreeSearch {
        require("ranks", ranks, 32);
        require("probeDepth", probeDepth, 3);
        require("maxNodes", maxNodes, 512);
        require("maxDepth", maxDepth, 32);
        if (Math.pow(ranks, probeDepth) > MAX_PROBED) {
            throw new IllegalArgumentException(
                    "a full tree of %d ranks and depth %d has more than %d leaves"
                            .formatted(ranks, probeDepth, MAX_PROBED));
        }
    }

    /// Greatest depth that makes sense: a chain of all nodes.
    int depth() {
        return Math.min(maxNodes, maxDepth);
    }

    private static void require(String name, int value, int most) {
        if (value < 1 || value > most) {
            throw new IllegalArgumentException(
                    "%s %d is not between 1 and %d".formatted(name, value, most));
        }
    }
}
