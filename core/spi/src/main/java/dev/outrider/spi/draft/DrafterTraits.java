package dev.outrider.spi.draft;

import dev.outrider.spi.tree.TreeShape;
import java.util.EnumSet;
import java.util.Set;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// The properties of a drafter's drafts and the inputs that it needs, known from its configuration alone. State only those that
/// differ from the default: a lookup has `DrafterTraits.chain(5)`, a head `DrafterTraits.following(plan,
/// greedy).readingHiddenStates()`.
///
/// @param shape               the shape of its drafts
/// @param selections          how its nodes are chosen: one kind, or for a drafter that uses others every kind that they may
///                            have, one per round; with a greedy target, for which every selection is exact, its drafts may be of
///                            another kind
/// @param needsHiddenStates   whether it reads the target's hidden states
/// @param readsRejectedNodes  whether it reads the scores of nodes that were not accepted
/// @param maxNodes            most nodes below the root it ever proposes, unverified ones included
/// @param maxDepth            greatest depth of a node that may be accepted
@API(status = Status.STABLE, since = "2")
public record DrafterTraits(
        TreeShape shape,
        Set<Selection.Kind> selections,
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

    /// {@return traits of a drafter of chains whose tokens are looked up, ranked, or chosen with an unknown distribution}
    /// A lookup needs only this.
    ///
    /// @param length most tokens of a draft, at least 1
    public static DrafterTraits chain(int length) {
        return pointMass(TreeShape.CHAIN, length, length);
    }

    /// {@return traits of a drafter of trees whose tokens are looked up, ranked, or chosen with an unknown distribution}
    ///
    /// @param maxNodes most nodes below the root
    /// @param maxDepth greatest depth of a node that may be accepted
    public static DrafterTraits tree(int maxNodes, int maxDepth) {
        return pointMass(TreeShape.TREE, maxNodes, maxDepth);
    }

    /// {@return traits of a drafter that follows a plan}
    ///
    /// @param plan          the shape of its drafts
    /// @param greedyDrafter whether it takes the most probable token instead of drawing
    public static DrafterTraits following(TreePlan plan, boolean greedyDrafter) {
        return pointMass(plan.shape(), plan.maxNodes(), plan.maxDepth())
                .selecting(plan.selection(greedyDrafter));
    }

    private static DrafterTraits pointMass(TreeShape shape, int maxNodes, int maxDepth) {
        return new DrafterTraits(
                shape, Set.of(Selection.Kind.POINT_MASS), false, false, maxNodes, maxDepth);
    }

    /// {@return the same, with nodes chosen in other ways}
    ///
    /// @param kinds the ways, one per round
    public DrafterTraits selecting(Selection.Kind... kinds) {
        return selecting(Set.of(kinds));
    }

    /// {@return the same, with nodes chosen in other ways}
    ///
    /// @param kinds the ways, one per round
    public DrafterTraits selecting(Set<Selection.Kind> kinds) {
        return new DrafterTraits(
                shape, kinds, needsHiddenStates, readsRejectedNodes, maxNodes, maxDepth);
    }

    /// {@return the same, reading the target's hidden states}
    public DrafterTraits readingHiddenStates() {
        return new DrafterTraits(shape, selections, true, readsRejectedNodes, maxNodes, maxDepth);
    }

    /// {@return the same, reading the scores of nodes that were not accepted}
    public DrafterTraits readingRejectedNodes() {
        return new DrafterTraits(shape, selections, needsHiddenStates, true, maxNodes, maxDepth);
    }

    /// {@return the same, with other limits}
    ///
    /// @param nodes most nodes below the root
    /// @param depth greatest depth of a node that may be accepted
    public DrafterTraits within(int nodes, int depth) {
        return new DrafterTraits(
                shape, selections, needsHiddenStates, readsRejectedNodes, nodes, depth);
    }

    /// {@return the same, in another shape}
    ///
    /// @param other the shape of its drafts
    public DrafterTraits shaped(TreeShape other) {
        return new DrafterTraits(
                other, selections, needsHiddenStates, readsRejectedNodes, maxNodes, maxDepth);
    }

    /// {@return traits of a drafter that lets this drafter or another one draft a round} Drafters that combine others
    /// compose their traits with it.
    ///
    /// @param other the other drafter's traits
    public DrafterTraits or(DrafterTraits other) {
        var kinds = EnumSet.copyOf(selections);
        kinds.addAll(other.selections);
        return new DrafterTraits(
                shape.accommodates(other.shape) ? shape : other.shape,
                kinds,
                needsHiddenStates || other.needsHiddenStates,
                readsRejectedNodes || other.readsRejectedNodes,
                Math.max(maxNodes, other.maxNodes),
                Math.max(maxDepth, other.maxDepth));
    }

    /// {@return the largest budget the drafter can use}
    public DraftBudget fullBudget() {
        return new DraftBudget(maxNodes, maxDepth);
    }
}
