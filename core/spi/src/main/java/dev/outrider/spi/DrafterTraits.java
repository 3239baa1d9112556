package dev.outrider.spi;

/// What a drafter produces and needs, known from its configuration alone.
///
/// @param shape               the shape of its drafts
/// @param selection           how its nodes are chosen; with a greedy target, where every selection is exact,
///                            its drafts may be of another kind
/// @param needsHiddenStates   whether it reads the target's hidden states
/// @param readsRejectedNodes  whether it reads the scores of nodes that were not accepted
/// @param maxNodes            most nodes below the root it ever proposes
/// @param maxDepth            greatest depth it ever proposes
public record DrafterTraits(
        TreeShape shape,
        SelectionKind selection,
        boolean needsHiddenStates,
        boolean readsRejectedNodes,
        int maxNodes,
        int maxDepth) {
    public DrafterTraits {
        if (maxNodes < 1 || maxDepth < 1 || maxDepth > maxNodes) {
            throw new IllegalArgumentException(
                    "maxNodes %d and maxDepth %d must satisfy 1 <= maxDepth <= maxNodes"
                            .formatted(maxNodes, maxDepth));
        }
    }

    /// The largest budget the drafter can use.
    public DraftBudget fullBudget() {
        return new DraftBudget(maxNodes, maxDepth);
    }
}
