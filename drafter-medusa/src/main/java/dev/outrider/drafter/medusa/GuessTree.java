package dev.outrider.drafter.medusa;

import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.tree.TokenTree;

/// Trees whose candidates at depth d are the best tokens of head d - 1, whatever their parents are.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1.2"
sealed interface GuessTree permits CartesianTree, ProbableTree {
    /// Tokens of each head that are needed.
    int ranks();

    /// Whether probabilities are needed.
    boolean readsProbabilities();

    /// The tree below a root, within a budget.
    TokenTree grow(int rootToken, Guesses guesses, DraftBudget budget);

    /// @throws IllegalArgumentException if the plan's nodes are drawn
    static GuessTree of(TreePlan plan) {
        return switch (plan) {
            case TreePlan.Dynamic dynamic -> new ProbableTree(dynamic);
            case TreePlan.Chain _,
                    TreePlan.LevelWidths _,
                    TreePlan.RankPaths _,
                    TreePlan.SampledWithReplacement _,
                    TreePlan.SampledWithoutReplacement _,
                    TreePlan.SampledPaths _,
                    TreePlan.Coupled _ ->
                    CartesianTree.of(plan);
        };
    }
}
