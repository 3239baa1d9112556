package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Grows a tree level by level, as deep and as large as a template and a budget allow.
final class TemplateGrowth {
    private TemplateGrowth() {}

    /// Adds the children of a level's nodes.
    @FunctionalInterface
    interface Children {
        /// @param frontier nodes that get children, in order
        /// @param level    their logits
        /// @param below    where the children that may get children go
        void add(List<FrontierNode> frontier, LevelSteps.Level level, List<FrontierNode> below);
    }

    /// @param tree gets the children; has its root
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

    /// A node of a growing tree and what the plan has below it.
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

    /// Which tree a round grows: the one its budget lays out, else the plan's own. Confined to one thread.
    static final class TreeLayout {
        private final TreeTemplate own;
        private Optional<TreePlan.RankPaths> asked = Optional.empty();
        private TreeTemplate template;

        TreeLayout(TreeTemplate own) {
            this.own = own;
            this.template = own;
        }

        TreeTemplate of(DraftBudget budget) {
            if (!asked.equals(budget.tree())) {
                asked = budget.tree();
                template = asked.map(tree -> TreeTemplate.ofPaths(tree.paths())).orElse(own);
            }
            return template;
        }
    }
}
