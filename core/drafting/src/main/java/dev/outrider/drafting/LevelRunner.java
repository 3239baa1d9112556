package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Runs the levels of one tree through a stepper and notes each node's row. Siblings with the same token
/// share a row: everything the network would say about them is the same. So do nodes that differ in nothing that
/// the stepper's logits depend on.
final class LevelRunner {
    private final DraftStepper stepper;
    private final DraftTreeBuilder nodes;
    private int rows;

    LevelRunner(DraftStepper stepper, DraftTreeBuilder nodes) {
        this.stepper = stepper;
        this.nodes = nodes;
    }

    /// Adds the children of a level's nodes.
    @FunctionalInterface
    interface Children {
        /// @param frontier nodes that get children, in order
        /// @param level    their logits
        /// @param below    where the children that may get children go
        void add(List<FrontierNode> frontier, Level level, List<FrontierNode> below);
    }

    /// Grows the tree level by level, as deep and as large as template and budget allow.
    void grow(TreeTemplate template, DraftBudget budget, Children children) {
        if (budget.maxNodes() == 0) {
            return;
        }
        var frontier = List.of(new FrontierNode(0, template));
        var level = root();
        for (int depth = 0; depth < budget.maxDepth() && !frontier.isEmpty(); depth++) {
            if (depth > 0) {
                level = run(frontier.stream().map(FrontierNode::node).toList());
            }
            var below = new ArrayList<FrontierNode>();
            children.add(frontier, level, below);
            frontier = FrontierNode.affordable(below, budget.maxNodes() - nodes.drafted());
        }
    }

    /// The root's logits.
    Level root() {
        return new Level(List.of(0), new int[1], stepper.root());
    }

    /// Runs some nodes of one depth.
    Level run(List<Integer> frontier) {
        var distinct = new LinkedHashMap<StepInput, Integer>();
        var indices = new int[frontier.size()];
        for (int i = 0; i < indices.length; i++) {
            int node = frontier.get(i);
            var step = step(node);
            int next = distinct.size();
            indices[i] = distinct.computeIfAbsent(step, _ -> next);
            nodes.ranIn(node, rows + indices[i]);
        }
        rows += distinct.size();
        return new Level(frontier, indices, stepper.step(new ArrayList<>(distinct.keySet())));
    }

    private StepInput step(int node) {
        int depth = nodes.depth(node);
        return switch (stepper.dependence()) {
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
