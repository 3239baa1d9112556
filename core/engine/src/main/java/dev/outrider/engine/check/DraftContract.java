package dev.outrider.engine.check;

import static dev.outrider.engine.check.Contract.require;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.draft.Selection.Independent;
import dev.outrider.spi.draft.Selection.PointMass;
import dev.outrider.spi.draft.Selection.WithoutReplacement;
import dev.outrider.spi.tree.TokenTree;
import java.util.HashSet;
import java.util.stream.Collectors;

/// The conditions that every draft must fulfil.
///
/// @param traits     what the drafter declared
/// @param vocabulary number of the target's tokens
/// @param greedy     whether the target is greedy: any selection is exact then, and a drafter that samples
///                   like its target has chosen argmaxes rather than drawn
/// @param label        the drafter and the round, as errors name them
record DraftContract(DrafterTraits traits, int vocabulary, boolean greedy, String label) {
    /// Checks everything but the draft's reads of the target: every node and its distribution.
    void check(Draft draft, DraftBudget budget, int root) {
        var tree = draft.tree();
        require(
                tree.token(0) == root,
                label,
                "proposed a tree with root %d, expected the last committed token %d",
                tree.token(0),
                root);
        require(
                tree.draftedNodes() <= budget.maxNodes(),
                label,
                "proposed %d nodes, expected at most %d",
                tree.draftedNodes(),
                budget.maxNodes());
        require(
                tree.candidateDepth() <= budget.maxDepth(),
                label,
                "proposed a tree of depth %d, expected at most %d",
                tree.candidateDepth(),
                budget.maxDepth());
        checkLimits(tree);
        checkTokens(tree);
        if (tree.draftedNodes() > 0) {
            checkDeclared(draft);
            checkSelection(draft);
        }
    }

    private void checkLimits(TokenTree tree) {
        require(
                tree.draftedNodes() <= traits.maxNodes(),
                label,
                "proposed %d nodes, expected at most %d as it declares",
                tree.draftedNodes(),
                traits.maxNodes());
        require(
                tree.candidateDepth() <= traits.maxDepth(),
                label,
                "proposed a tree of depth %d, expected at most %d as it declares",
                tree.candidateDepth(),
                traits.maxDepth());
    }

    private void checkTokens(TokenTree tree) {
        for (int node = 1; node < tree.size(); node++) {
            require(
                    tree.token(node) < vocabulary,
                    label,
                    "proposed token %d at node %d, expected 0 to %d",
                    tree.token(node),
                    node,
                    vocabulary - 1);
        }
    }

    private void checkDeclared(Draft draft) {
        require(
                greedy || traits.selections().contains(draft.selection().kind()),
                label,
                "proposed nodes chosen as %s, expected %s as it declares",
                draft.selection().kind(),
                traits.selections().stream()
                        .sorted()
                        .map(Selection.Kind::name)
                        .collect(Collectors.joining(" or ")));
        boolean chain = draft.tree().isChain();
        require(
                switch (traits.shape()) {
                    case CHAIN -> chain;
                    case TREE -> true;
                },
                label,
                "proposed a tree, expected a chain as it declares");
    }

    private void checkSelection(Draft draft) {
        switch (draft.selection()) {
            case PointMass() -> {}
            case Independent(var distributions) ->
                    checkDistributions(draft.tree(), distributions, false);
            case WithoutReplacement(var distributions) ->
                    checkDistributions(draft.tree(), distributions, true);
        }
    }

    private void checkDistributions(
            TokenTree tree, DraftDistributions distributions, boolean distinct) {
        for (int node = 0; node < tree.size(); node++) {
            int[] candidates = tree.candidates(node);
            if (candidates.length > 0) {
                require(
                        distributions.has(node),
                        label,
                        "recorded no distribution for the children of node %d",
                        node);
                checkWidth(distributions.row(node), node);
                var problem = distributions.problem(node);
                require(problem.isEmpty(), label, "recorded %s", problem.orElse(""));
                checkCandidates(tree, candidates, distributions.row(node), distinct);
            }
        }
    }

    private void checkWidth(double[] row, int node) {
        require(
                row.length == vocabulary,
                label,
                "recorded a distribution over %d tokens at node %d, expected %d",
                row.length,
                node,
                vocabulary);
    }

    private void checkCandidates(TokenTree tree, int[] candidates, double[] row, boolean distinct) {
        var seen = new HashSet<Integer>();
        for (int candidate : candidates) {
            int token = tree.token(candidate);
            require(
                    row[token] > 0,
                    label,
                    "drew token %d at node %d, to which its distribution gives probability 0",
                    token,
                    candidate);
            require(
                    seen.add(token) || !distinct,
                    label,
                    "drew token %d twice without replacement, the second time at node %d",
                    token,
                    candidate);
        }
    }
}
