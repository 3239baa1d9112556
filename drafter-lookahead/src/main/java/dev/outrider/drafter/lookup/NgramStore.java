package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.TargetScores;
import java.util.Arrays;

/// Contexts of several lengths, each with its likely successors, the most recently learned first:
/// the tokens after it in the text, and the target's best tokens wherever that context was scored.
/// A repeated successor moves to the front.
///
/// The successors of a text are those of the longest known context, then those of shorter ones.
///
/// Memory is limited: beyond the capacity, the context that was not updated for the longest time is
/// removed. Reading changes nothing. Confined to one thread.
///
/// @see "Ou et al. 2024 (ANPD): n-grams of several orders that adapt to the text;
///     docs/reference/algorithms.md A10.7"
final class NgramStore implements SuccessorStore {
    private final AdaptiveNgramConfig config;
    private final LogitRow logits;
    private final RecentContexts contexts;
    private final SuccessorRows rows;

    /// Creates an empty store.
    ///
    /// @param width maximum number of successors of a context
    NgramStore(AdaptiveNgramConfig config, int width, int vocabulary) {
        this.config = config;
        this.logits = new LogitRow(vocabulary);
        this.contexts = new RecentContexts(config.maxOrder() - 1, config.capacity());
        this.rows = new SuccessorRows(contexts.room(), width);
    }

    private NgramStore(NgramStore original) {
        this.config = original.config;
        this.logits = new LogitRow(original.logits.vocabulary());
        this.contexts = new RecentContexts(original.contexts);
        this.rows = original.rows.copy();
    }

    /// Returns the maximum memory of a context in bytes: its tokens, its successors, and its table
    /// entry.
    static long bytesPerContext(int maxOrder, int width) {
        return (long) Integer.BYTES * (maxOrder - 1 + width + 5);
    }

    @Override
    public int contextLength() {
        return config.maxOrder() - 1;
    }

    @Override
    public int[] successors(int[] context) {
        var best = new int[rows.width()];
        int found = 0;
        int length = Math.min(context.length, contextLength());
        for (; length >= config.minOrder() - 1 && found < best.length; length--) {
            int row = contexts.find(context, length);
            if (row != RecentContexts.NONE) {
                found = join(best, found, rows.successors(row));
            }
        }
        return Arrays.copyOf(best, found);
    }

    @Override
    public void saw(int[] context, int token) {
        learn(context, token);
    }

    @Override
    public void scored(int[] context, TargetScores scores, int node) {
        if (config.topK() > 0) {
            learn(context, logits.top(scores, node, Math.min(config.topK(), rows.width())));
        }
    }

    @Override
    public NgramStore copy() {
        return new NgramStore(this);
    }

    @Override
    public long bytes() {
        return contexts.bytes() + rows.bytes() + logits.bytes();
    }

    /// Puts successors first, in this order, in the row of every order of n-gram.
    private void learn(int[] context, int... successors) {
        int longest = Math.min(context.length, contextLength());
        for (int length = config.minOrder() - 1; length <= longest; length++) {
            int row = rowOf(context, length);
            for (int i = successors.length - 1; i >= 0; i--) {
                rows.putFirst(row, successors[i]);
            }
        }
    }

    private int rowOf(int[] context, int length) {
        int known = contexts.find(context, length);
        if (known != RecentContexts.NONE) {
            contexts.renew(known);
            return known;
        }
        int row = contexts.add(context, length);
        rows.growTo(contexts.room());
        rows.replace(row);
        return row;
    }

    /// Adds the missing successors as far as there is room, and returns their number.
    private static int join(int[] best, int found, int[] successors) {
        int count = found;
        for (int token : successors) {
            boolean isNew = Arrays.stream(best, 0, count).noneMatch(known -> known == token);
            if (isNew && count < best.length) {
                best[count++] = token;
            }
        }
        return count;
    }
}
