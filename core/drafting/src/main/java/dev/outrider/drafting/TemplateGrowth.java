package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import java.util.ArrayList;
import java.util.List;
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

    /// @param tree       gets the children; has its root
    /// @param dependence what logits depend on
    /// @param selection  how the children were chosen, asked at the end
    TemplateGrowth(
            DraftTreeBuilder tree,
            TreeTemplate template,
            DraftStepper.Dependence dependence,
            DraftBudget budget,
            Children children,
            Supplier<Selection> selection) {
        this.tree = tree;
        this.steps = new LevelSteps(dependence, tree);
        this.budget = budget;
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
}
