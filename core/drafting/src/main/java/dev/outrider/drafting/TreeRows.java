package dev.outrider.drafting;

import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowMask;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// The rows of one round's tree in a drafter's cache: the committed rows end with the root, then every level
/// becomes scratch rows that see their ancestors.
///
/// Confined to one thread.
public final class TreeRows {
    private final List<BitSet> visible = new ArrayList<>();

    /// The rows of the next level, for a pass over `cache`.
    ///
    /// @param cache committed rows up to the root's, then the rows of the levels before
    /// @param nodes the level, in the form of [DraftStepper#step]
    public RowBlock append(KvCache cache, List<StepInput> nodes) {
        int first = visible.size();
        int rootPosition = cache.length() - 1;
        for (var node : nodes) {
            var row =
                    node.parentRow() == StepInput.ROOT
                            ? new BitSet()
                            : (BitSet) visible.get(node.parentRow()).clone();
            row.set(visible.size());
            visible.add(row);
        }
        return new RowBlock(
                cache,
                nodes.stream().mapToInt(StepInput::token).toArray(),
                nodes.stream().mapToInt(node -> rootPosition + node.depth()).toArray(),
                mask(first));
    }

    /// A chain's rows see all earlier rows, which networks compute faster than a general mask.
    private RowMask mask(int first) {
        boolean chain = visible.size() == first + 1 && visible.getLast().cardinality() == first + 1;
        return chain
                ? new RowMask.Causal()
                : new RowMask.Ancestors(visible.subList(first, visible.size()));
    }
}
