package dev.outrider.drafter.lookup;

import dev.outrider.spi.target.TargetScores;
import java.util.Arrays;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/// Contexts of several lengths, each with its likely successors, the most recently learned first:
/// the tokens after it in the text, and the target's best tokens wherever that context was scored.
/// A repeated successor moves to the front.
///
/// The successors of a text are those of the longest known context, then those of shorter ones.
///
/// Memory is limited: beyond the capacity, the context that was not updated for the longest time is
/// removed. A context takes up to 200 bytes. Reading changes nothing. Confined to one thread.
///
/// @see "Ou et al. 2024 (ANPD): n-grams of several orders that adapt to the text;
///     docs/reference/algorithms.md A10.7"
final class NgramStore implements SuccessorStore {
    private final AdaptiveNgramConfig config;
    private final int width;
    private final LogitRow logits;

    /// The successors of each context; the context that was updated last is the last one. Keys and rows are never changed.
    private final LinkedHashMap<Context, int[]> contexts;

    /// Creates an empty store.
    ///
    /// @param width maximum number of successors of a context
    NgramStore(AdaptiveNgramConfig config, int width, int vocabulary) {
        this(config, width, vocabulary, new LinkedHashMap<>());
    }

    private NgramStore(
            AdaptiveNgramConfig config,
            int width,
            int vocabulary,
            LinkedHashMap<Context, int[]> contexts) {
        this.config = config;
        this.width = width;
        this.logits = new LogitRow(vocabulary);
        this.contexts = contexts;
    }

    @Override
    public int contextLength() {
        return config.maxOrder() - 1;
    }

    @Override
    public int[] successors(int[] context) {
        var best = new int[width];
        int found = 0;
        int length = Math.min(context.length, contextLength());
        for (; length >= config.minOrder() - 1 && found < width; length--) {
            int[] row = contexts.get(suffix(context, length));
            if (row != null) {
                found = SuccessorStore.join(best, found, row);
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
            learn(context, logits.top(scores, node, Math.min(config.topK(), width)));
        }
    }

    @Override
    public NgramStore copy() {
        return new NgramStore(config, width, logits.vocabulary(), new LinkedHashMap<>(contexts));
    }

    /// Returns the number of contexts.
    int size() {
        return contexts.size();
    }

    /// Puts successors first, in this order, in the row of every order of n-gram.
    private void learn(int[] context, int... successors) {
        int longest = Math.min(context.length, contextLength());
        int[] kept = Arrays.copyOfRange(context, context.length - longest, context.length);
        for (int length = config.minOrder() - 1; length <= longest; length++) {
            var suffix = suffix(kept, length);
            int[] known = contexts.remove(suffix);
            var row = new int[width];
            int found = SuccessorStore.join(row, 0, successors);
            if (known != null) {
                found = SuccessorStore.join(row, found, known);
            }
            contexts.putLast(suffix, found < width ? Arrays.copyOf(row, found) : row);
            if (contexts.size() > config.capacity()) {
                contexts.pollFirstEntry();
            }
        }
    }

    private static Context suffix(int[] context, int length) {
        return new Context(context, context.length - length);
    }

    /// The tokens of a context: those from an index on. Contexts of several lengths share an array, which is not changed while they are
    /// used.
    @SuppressWarnings("ArrayRecordComponent")
    private record Context(int[] tokens, int from) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Context(int[] others, int start)
                    && Arrays.equals(tokens, from, tokens.length, others, start, others.length);
        }

        @Override
        public int hashCode() {
            int hash = 1;
            for (int index = from; index < tokens.length; index++) {
                hash = 31 * hash + tokens[index];
            }
            return hash;
        }
    }
}
