package dev.outrider.drafting;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import java.util.Optional;

/// Which tree a round grows: the one its budget lays out, else the plan's own. Confined to one thread.
final class TreeLayout {
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
