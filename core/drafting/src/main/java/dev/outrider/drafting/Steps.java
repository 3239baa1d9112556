package dev.outrider.drafting;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Runs the levels of one tree through a stepper and notes each node's row. Siblings with the same token
/// share a row: everything the network would say about them is the same.
final class Steps {
    private final DraftStepper stepper;
    private final Nodes nodes;
    private int rows;

    Steps(DraftStepper stepper, Nodes nodes) {
        this.stepper = stepper;
        this.nodes = nodes;
    }

    /// The root's logits.
    Level root() {
        return new Level(List.of(0), new int[1], stepper.root());
    }

    /// Runs some nodes of one depth.
    Level run(List<Integer> frontier) {
        var distinct = new LinkedHashMap<StepNode, Integer>();
        var indices = new int[frontier.size()];
        for (int i = 0; i < indices.length; i++) {
            int node = frontier.get(i);
            var step =
                    new StepNode(
                            nodes.token(node), nodes.row(nodes.parent(node)), nodes.depth(node));
            int next = distinct.size();
            indices[i] = distinct.computeIfAbsent(step, _ -> next);
            nodes.ranIn(node, rows + indices[i]);
        }
        rows += distinct.size();
        return new Level(frontier, indices, stepper.step(new ArrayList<>(distinct.keySet())));
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
    }
}
