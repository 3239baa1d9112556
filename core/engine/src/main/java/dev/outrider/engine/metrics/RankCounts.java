package dev.outrider.engine.metrics;

import dev.outrider.common.Require;
import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.spi.run.DecodeEvent;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Counts which child of each accepted node is the accepted one, by depth and by its place among its siblings: draw order
/// for sampled trees, falling probability for ranked ones. Confined to one thread.
///
/// A node counts as visited if it was accepted, or is the root, and had children. Acceptance is counted as it was decided,
/// also where the end of a sequence cut the round short.
///
/// @see "Chen et al. 2024 (Sequoia), section 3: measure with the rule that will be used"
public final class RankCounts implements DecodeListener {
    private final int ranks;
    private final List<Depth> depths = new ArrayList<>();

    /// @param ranks number of ranks that are counted; a child of a later rank counts as none
    public RankCounts(int ranks) {
        Require.that(ranks >= 1, "ranks %d must be at least 1", ranks);
        this.ranks = ranks;
    }

    private static final class Depth {
        private final long[] accepted;
        private long visited;

        Depth(int ranks) {
            accepted = new long[ranks];
        }
    }

    @Override
    public void onEvent(DecodeEvent event) {
        if (event instanceof RoundCompleted round) {
            var tree = round.draft().tree();
            int node = 0;
            for (int child : round.verdict().acceptedNodes()) {
                var candidates = tree.candidates(node);
                int rank =
                        IntStream.range(0, candidates.length)
                                .filter(index -> candidates[index] == child)
                                .findFirst()
                                .orElseThrow();
                var depth = at(tree.depth(node));
                depth.visited++;
                if (rank < ranks) {
                    depth.accepted[rank]++;
                }
                node = child;
            }
            if (tree.candidates(node).length > 0) {
                at(tree.depth(node)).visited++;
            }
        }
    }

    /// Number of depths at which a node was visited.
    public int depths() {
        return depths.size();
    }

    /// Visited nodes of a depth, the root's being 0.
    public long visited(int depth) {
        return depths.get(depth).visited;
    }

    /// Visited nodes in all.
    public long visited() {
        return depths.stream().mapToLong(depth -> depth.visited).sum();
    }

    /// Acceptance by rank below the nodes of one depth.
    ///
    /// @throws IllegalStateException if none was visited
    public PositionalAcceptance acceptance(int depth) {
        return acceptance(List.of(depths.get(depth)));
    }

    /// Acceptance by rank below all visited nodes.
    ///
    /// @throws IllegalStateException if none was visited
    public PositionalAcceptance acceptance() {
        return acceptance(depths);
    }

    private PositionalAcceptance acceptance(List<Depth> counted) {
        long visited = counted.stream().mapToLong(depth -> depth.visited).sum();
        if (visited == 0) {
            throw new IllegalStateException("no node with children was visited");
        }
        return new PositionalAcceptance(
                IntStream.range(0, ranks)
                        .mapToObj(rank ->
                                (double)
                                                counted.stream()
                                                        .mapToLong(depth -> depth.accepted[rank])
                                                        .sum()
                                        / visited)
                        .toList());
    }

    private Depth at(int depth) {
        while (depths.size() <= depth) {
            depths.add(new Depth(ranks));
        }
        return depths.get(depth);
    }
}
