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
            int[] row = contexts.get(end(context, length));
            if (row != null) {
                found = join(best, found, row);
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
        for (int length = config.minOrder() - 1; length <= longest; length++) {
            var end = end(context, length);
            int[] known = contexts.remove(end);
            var row = new int[width];
            int found = join(row, 0, successors);
            if (known != null) {
                found = join(row, found, known);
            }
            contexts.putLast(end, found < width ? Arrays.copyOf(row, found) : row);
            if (contexts.size() > config.capacity()) {
                contexts.pollFirstEntry();
            }
        }
    }

    /// Adds the successors that are missing, as far as there is room, and returns the number of all.
    private static int join(int[] best, int found, int[] successors) {
        int count = found;
        for (int i = 0; i < successors.length && count < best.length; i++) {
            int place = 0;
            while (place < count && best[place] != successors[i]) {
                place++;
            }
            if (place == count) {
                best[count++] = successors[i];
            }
        }
        return count;
    }

    private static Context end(int[] context, int length) {
        return new Context(Arrays.copyOfRange(context, context.length - length, context.length));
    }

    /// The tokens of a context.
    @SuppressWarnings("ArrayRecordComponent")
    private record Context(int[] tokens) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Context(int[] others) && Arrays.equals(tokens, others);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(tokens);
        }
    }
}
