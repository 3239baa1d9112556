package dev.outrider.drafter.ensemble;

import dev.outrider.common.Require;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.draft.DrafterChoice;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.tree.TreeShape;
import java.util.List;

/// Configuration of the drafter `union`.
///
/// @param drafters   the drafters, in the order in which they are asked
/// @param totalNodes maximum number of nodes of a round
@Doc("Several drafters propose in the same round; what they guess shares one tree.")
public record UnionConfig(
        @Doc(
                        "The drafters; at least two. Each is asked for what the ones before it left of the round's nodes.")
                List<DrafterChoice> drafters,
        @Doc("Most nodes of a round; a guess that several drafters share is one node.")
                @Default("64")
                int totalNodes) {
    private static final int MAX_NODES = 4096;

    public UnionConfig {
        drafters = List.copyOf(drafters);
        Require.that(
                drafters.size() >= 2, "drafters must list at least two, got %d", drafters.size());
        Require.between("totalNodes", totalNodes, 1, MAX_NODES);
    }

    /// Returns the traits of a point mass: a node of a union is there because one drafter proposed
    /// it, even if that drafter drew it from a known distribution. So only rules that need no q may
    /// judge it (docs/decisions/0073).
    DrafterTraits traits() {
        var each = drafters.stream().map(DrafterChoice::traits).toList();
        long nodes = each.stream().mapToLong(DrafterTraits::maxNodes).sum();
        int most = Math.toIntExact(Math.min(nodes, totalNodes));
        var any = each.stream().reduce(DrafterTraits::or).orElseThrow();
        return any.selecting(Selection.Kind.POINT_MASS)
                .shaped(TreeShape.TREE)
                .within(most, Math.min(any.maxDepth(), most));
    }
}
