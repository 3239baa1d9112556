package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.spi.target.TargetScores;
import java.util.Arrays;

/// The likely successors of every token, best first, at most 8 of each. A row is the target's last scores of its token's successors.
/// Confined to one thread.
///
/// @see "Luo et al. 2024: Turning Trash into Treasure, section 3"
final class Successors implements SuccessorStore {
    /// By token; rows are replaced, never changed.
    private final int[][] rows;

    private final LogitRow logits;

    /// Creates an empty matrix.
    Successors(int vocabulary) {
        this(new int[vocabulary][], vocabulary);
        Arrays.fill(rows, new int[0]);
    }

    private Successors(int[][] rows, int vocabulary) {
        this.rows = rows;
        this.logits = new LogitRow(vocabulary);
    }

    @Override
    public int contextLength() {
        return 1;
    }

    @Override
    public int[] successors(int[] context) {
        return rows[context[0]].clone();
    }

    @Override
    public void saw(int[] context, int token) {
        rows[context[0]] = SuccessorStore.withFirst(rows[context[0]], token, RankTree.MAX_RANKS);
    }

    /// Learns nothing, because only scores count.
    @Override
    public void wrote(int[] context, int token) {}

    @Override
    public void scored(int[] context, TargetScores scores, int node) {
        rows[context[0]] = logits.top(scores, node, RankTree.MAX_RANKS);
    }

    @Override
    public Successors copy() {
        return new Successors(rows.clone(), logits.vocabulary());
    }
}
