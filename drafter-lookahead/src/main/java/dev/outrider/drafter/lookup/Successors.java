package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.TargetScores;

/// The likely successors of every token, best first: a matrix of `V x 8` token ids, always `36 V`
/// bytes. A row is the target's last scores of its token's successors. Confined to one thread.
///
/// @see "Luo et al. 2024: Turning Trash into Treasure, section 3"
final class Successors implements SuccessorStore {
    private final SuccessorRows rows;
    private final LogitRow logits;

    /// Creates an empty matrix.
    Successors(int vocabulary) {
        this(new SuccessorRows(vocabulary, RankTree.MAX_RANKS), new LogitRow(vocabulary));
    }

    private Successors(SuccessorRows rows, LogitRow logits) {
        this.rows = rows;
        this.logits = logits;
    }

    @Override
    public int contextLength() {
        return 1;
    }

    @Override
    public int[] successors(int[] context) {
        return rows.successors(context[0]);
    }

    @Override
    public void saw(int[] context, int token) {
        rows.putFirst(context[0], token);
    }

    /// Learns nothing, because only scores count.
    @Override
    public void wrote(int[] context, int token) {}

    @Override
    public void scored(int[] context, TargetScores scores, int node) {
        rows.replace(context[0], logits.top(scores, node, rows.width()));
    }

    @Override
    public Successors copy() {
        return new Successors(rows.copy(), new LogitRow(logits.vocabulary()));
    }

    @Override
    public long bytes() {
        return rows.bytes() + logits.bytes();
    }
}
