package dev.outrider.drafting;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Runs the levels of one tree and records each node's row. Siblings with the same token share a row, because the network's logits
/// for them are equal. So do nodes that differ only in parts that the logits do not depend on.
///
/// Confined to one thread.
final class LevelSteps {
    private final DraftStepper stepper;
    private final DraftTreeBuilder nodes;
    private int rows;

    LevelSteps(DraftStepper stepper, DraftTreeBuilder nodes) {
        this.stepper = stepper;
        this.nodes = nodes;
    }

    /// The root's level.
    Level root() {
        return new Level(List.of(0), new int[1], stepper.root());
    }

    /// Runs some nodes of one depth.
    Level run(List<Integer> level) {
        var distinct = new LinkedHashMap<StepInput, Integer>();
        var indices = new int[level.size()];
        for (int i = 0; i < indices.length; i++) {
            int node = level.get(i);
            int fresh = distinct.size();
            indices[i] = distinct.computeIfAbsent(step(node), _ -> fresh);
            nodes.ranIn(node, rows + indices[i]);
        }
        rows += distinct.size();
        return new Level(level, indices, stepper.step(new ArrayList<>(distinct.keySet())));
    }

    private StepInput step(int node) {
        int depth = nodes.depth(node);
        return switch (stepper.dependence()) {
            case PATH -> new StepInput(nodes.token(node), nodes.row(nodes.parent(node)), depth);
            case TOKEN -> new StepInput(nodes.token(node), StepInput.ROOT, depth);
            case DEPTH -> new StepInput(0, StepInput.ROOT, depth);
        };
    }

    /// Nodes of one pass.
    ///
    /// @param frontier the nodes
    /// @param indices  for each of them, its row of `logits`
    /// @param logits   the pass' logits
    record Level(List<Integer> frontier, int[] indices, DraftStepper.LogitRows logits) {
        /// Logits of the successors of the `index`-th node.
        MemorySegment logitsOf(int index) {
            return logits.row(indices[index]);
        }

        /// Returns whether the drafter guesses from it.
        boolean guessesFrom(int index) {
            return logits.guessesFrom(indices[index]);
        }
    }
}
