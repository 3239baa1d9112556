package dev.outrider.spi;

import java.util.Set;

/// What a drafter produces and needs, known from its configuration alone.
///
/// @param shape               the shape of its drafts
/// @param selections          how its nodes are chosen: one kind, or every kind a drafter that puts others to use may
///                            bring, one a round; with a greedy target, where every selection is exact, its drafts
///                            may be of another kind
/// @param needsHiddenStates   whether it reads the target's hidden states
/// @param readsRejectedNodes  whether it reads the scores of nodes that were not accepted
/// @param maxNodes            most nodes below the root it ever proposes, unverified ones included
/// @param maxDepth            greatest depth of a node that may be accepted
public record DrafterTraits(
        TreeShape shape,
        Set<SelectionKind> selections,
        boolean needsHiddenStates,
        boolean readsRejectedNodes,
        int maxNodes,
        int maxDepth) {
    /// Checks that limits and kinds are possible.
    public DrafterTraits {
        selections = Set.copyOf(selections);
        if (selections.isEmpty()) {
            throw new IllegalArgumentException("selections must name at least one kind");
        }
        if (maxNodes < 1 || maxDepth < 1 || maxDepth > maxNodes) {
            throw new IllegalArgumentException(
                    "maxNodes %d and maxDepth %d must satisfy 1 <= maxDepth <= maxNodes"
                            .formatted(maxNodes, maxDepth));
        }
    }

    /// Traits of a drafter whose nodes are always chosen in one way.
    ///
    /// @param shape the shape of its drafts
    /// @param selection how its nodes are chosen
    /// @param needsHiddenStates whether it reads the target's hidden states
    /// @param readsRejectedNodes whether it reads the scores of nodes that were not accepted
    /// @param maxNodes most nodes below the root
    /// @param maxDepth greatest depth of a node that may be accepted
    public DrafterTraits(
            TreeShape shape,
            SelectionKind selection,
            boolean needsHiddenStates,
            boolean readsRejectedNodes,
            int maxNodes,
            int maxDepth) {
        this(shape, Set.of(selection), needsHiddenStates, readsRejectedNodes, maxNodes, maxDepth);
    }

    /// {@return the largest budget the drafter can use}
    public DraftBudget fullBudget() {
        return new DraftBudget(maxNodes, maxDepth);
    }
}
