package dev.outrider.engine.model;

import dev.outrider.common.Require;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The time of a round on a machine as a function of its tree. All times in one unit.
///
/// Drafting has a cost per level, each a pass of the drafter, and a cost per node. The rest of the round, most of it the target's
/// pass, is measured for some numbers of rows and interpolated between them.
///
/// @param draftPerLevel one more level, at least 0
/// @param draftPerNode  one more node, at least 0
/// @param byRows        everything but drafting by rows of the target's pass, the root included; the row of plain decoding
///                      among them
/// @see "Chen et al. 2024 (Sequoia), section 3.3: hardware-aware optimisation"
public record RoundCost(
        double draftPerLevel, double draftPerNode, SortedMap<Integer, Double> byRows) {
    public RoundCost {
        byRows = Collections.unmodifiableSortedMap(new TreeMap<>(byRows));
        Require.that(
                draftPerLevel >= 0 && draftPerNode >= 0,
                "draft costs %s a level and %s a node must be 0 or more",
                draftPerLevel,
                draftPerNode);
        Require.that(
                byRows.containsKey(1) && byRows.values().stream().allMatch(time -> time > 0),
                "times by rows %s must be positive, one row among them",
                byRows);
    }

    /// A round of plain decoding.
    public double plain() {
        return verifying(1);
    }

    /// A round that drafts a tree.
    public double of(int nodes, int depth) {
        return drafting(nodes, depth) + verifying(nodes + 1);
    }

    /// The drafter's part.
    public double drafting(int nodes, int depth) {
        return draftPerLevel * depth + draftPerNode * nodes;
    }

    /// Returns the time of everything else: interpolated between the neighbours that were measured; beyond the last, the time of
    /// the last.
    public double verifying(int rows) {
        return FittedCurve.at(byRows, rows, 0);
    }

    /// Expected speedup of a tree over plain decoding.
    public double speedup(OptimalTrees.Tree tree) {
        return SpeedupTheory.speedup(
                tree.tokens(),
                plain(),
                drafting(tree.nodes(), tree.depth()),
                verifying(tree.nodes() + 1),
                0);
    }

    /// Fits the drafter's part to measured rounds by least squares, neither cost below 0.
    ///
    /// @param drafting measured times, in the order of the shapes
    /// @param byRows   everything but drafting, by rows
    public static RoundCost fit(Map<Shape, Double> drafting, SortedMap<Integer, Double> byRows) {
        double[] fitted =
                FittedCurve.nonNegative(
                        drafting.entrySet().stream()
                                .map(each ->
                                        new double[] {
                                            each.getKey().depth(),
                                            each.getKey().nodes(),
                                            each.getValue(),
                                            1
                                        })
                                .toList());
        return new RoundCost(fitted[0], fitted[1], byRows);
    }

    /// The size of a draft.
    ///
    /// @param nodes drafted nodes
    /// @param depth their greatest depth
    public record Shape(int nodes, int depth) {}
}
