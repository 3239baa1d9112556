package dev.outrider.drafting;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// The steps of one tree's levels, and each node's row. Siblings with the same token
/// share a row: everything the network would say about them is the same. So do nodes that differ in nothing that
/// the logits depend on.
///
/// Confined to one thread.
final class LevelSteps {
    private final DraftStepper.Dependence dependence;
    private final DraftTreeBuilder nodes;
    private List<Integer> frontier = List.of(0);
    private int[] indices = new int[1];
    private int rows;

    /// The root's level.
    LevelSteps(DraftStepper.Dependence dependence, DraftTreeBuilder nodes) {
        this.dependence = dependence;
        this.nodes = nodes;
    }

    /// The steps of some nodes of one depth, which are the level from now on.
    List<StepInput> next(List<Integer> level) {
        var distinct = new LinkedHashMap<StepInput, Integer>();
        frontier = level;
        indices = new int[level.size()];
        for (int i = 0; i < indices.length; i++) {
            int node = level.get(i);
            int fresh = distinct.size();
            indices[i] = distinct.computeIfAbsent(step(node), _ -> fresh);
            nodes.ranIn(node, rows + indices[i]);
        }
        rows += distinct.size();
        return new ArrayList<>(distinct.keySet());
    }

    /// The level with its logits.
    Level with(DraftStepper.LogitRows logits) {
        return new Level(frontier, indices, logits);
    }

    private StepInput step(int node) {
        int depth = nodes.depth(node);
        return switch (dependence) {
            case PATH -> new StepInput(nodes.token(node), nodes.row(nodes.parent(node)), depth);
            case TOKEN -> new StepInput(nodes.token(node), StepInput.ROOT, depth);
            case DEPTH -> new StepInput(0, StepInput.ROOT, depth);
        };
    }

    /// Nodes that were run together.
    ///
    /// @param frontier the nodes
    /// @param indices  for each of them, which row of `logits` is its own
    /// @param logits   the pass' logits
    record Level(List<Integer> frontier, int[] indices, DraftStepper.LogitRows logits) {
        /// Logits of the successors of the `index`-th node.
        MemorySegment logitsOf(int index) {
            return logits.row(indices[index]);
        }

        /// Whether the drafter guesses from it.
        boolean guessesFrom(int index) {
            return logits.guessesFrom(indices[index]);
        }
    }
}
