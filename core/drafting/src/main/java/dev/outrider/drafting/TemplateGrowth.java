package dev.outrider.drafting;

import java.util.ArrayList;
import java.util.List;

/// Grows a tree level by level, as deep and as large as a template and a budget allow.
final class TemplateGrowth {
    private TemplateGrowth() {}

    /// Adds the children of a level's nodes.
    @FunctionalInterface
    interface Children {
        /// @param frontier nodes that get children, in order
        /// @param level    their logits
        /// @param below    receives the children that may get children
        void add(List<FrontierNode> frontier, LevelSteps.Level level, List<FrontierNode> below);
    }

    /// @param tree receives the children; has its root
    static void grow(
            DraftTreeBuilder tree,
            TreeTemplate template,
            TreeConstruction.Request request,
            Children children) {
        var steps = new LevelSteps(request.stepper(), tree);
        int maxNodes = request.budget().maxNodes();
        var frontier =
                maxNodes == 0 ? List.<FrontierNode>of() : List.of(new FrontierNode(0, template));
        for (int depth = 0; depth < request.budget().maxDepth() && !frontier.isEmpty(); depth++) {
            var level =
                    depth == 0
                            ? steps.root()
                            : steps.run(frontier.stream().map(FrontierNode::node).toList());
            var below = new ArrayList<FrontierNode>();
            children.add(frontier, level, below);
            frontier = FrontierNode.affordable(below, maxNodes - tree.drafted());
        }
    }

    /// A node of a growing tree, and the part of the plan below it.
    record FrontierNode(int node, TreeTemplate template) {
        /// The first nodes, as many as the plan needs to use up `nodesLeft`.
        static List<FrontierNode> affordable(List<FrontierNode> nodes, int nodesLeft) {
            int planned = 0;
            for (int i = 0; i < nodes.size(); i++) {
                if (planned >= nodesLeft) {
                    return nodes.subList(0, i);
                }
                planned += nodes.get(i).template().children().size();
            }
            return nodes;
        }
    }
}
