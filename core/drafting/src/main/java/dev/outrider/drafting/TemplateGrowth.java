package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.TreePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Grows a tree level by level, as deep and as large as a template and a budget allow.
///
/// Confined to one thread.
final class TemplateGrowth implements GrowingDraft {
    private final DraftTreeBuilder tree;
    private final LevelSteps steps;
    private final DraftBudget budget;
    private final Children children;
    private final Supplier<Selection> selection;
    private List<FrontierNode> frontier;
    private List<StepInput> wanted = List.of();
    private int depth;

    /// Adds the children of a level's nodes.
    @FunctionalInterface
    interface Children {
        /// @param frontier nodes that get children, in order
        /// @param level    their logits
        /// @param below    where the children that may get children go
        void add(List<FrontierNode> frontier, LevelSteps.Level level, List<FrontierNode> below);
    }

    /// @param tree      gets the children; has its root
    /// @param selection how the children were chosen, asked at the end
    TemplateGrowth(
            DraftTreeBuilder tree,
            TreeTemplate template,
            TreeConstruction.Request request,
            Children children,
            Supplier<Selection> selection) {
        this.tree = tree;
        this.steps = new LevelSteps(request.dependence(), tree);
        this.budget = request.budget();
        this.children = children;
        this.selection = selection;
        this.frontier = List.of(new FrontierNode(0, template));
    }

    @Override
    public boolean done() {
        return budget.maxNodes() == 0 || depth == budget.maxDepth() || frontier.isEmpty();
    }

    @Override
    public List<StepInput> wanted() {
        return wanted;
    }

    @Override
    public void take(DraftStepper.LogitRows logits) {
        var below = new ArrayList<FrontierNode>();
        children.add(frontier, steps.with(logits), below);
        depth++;
        frontier = FrontierNode.affordable(below, budget.maxNodes() - tree.drafted());
        if (!done()) {
            wanted = steps.next(frontier.stream().map(FrontierNode::node).toList());
        }
    }

    @Override
    public DraftWithRows finish() {
        return tree.finish(selection.get());
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
