package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.LookupConfigs.AdaptiveNgramConfig;
import dev.outrider.spi.target.TargetScores;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.stream.IntStream;

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
    private final int width;
    private final LogitRow logits;

    /// The successors of each context; the context that was updated last is the last one. Keys and rows are never changed.
    private final LinkedHashMap<IntBuffer, int[]> contexts;

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
            LinkedHashMap<IntBuffer, int[]> contexts) {
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
        int longest = Math.min(context.length, contextLength());
        return IntStream.iterate(longest, length -> length >= config.minOrder() - 1, n -> n - 1)
                .mapToObj(length -> contexts.getOrDefault(key(context, length), new int[0]))
                .flatMapToInt(Arrays::stream)
                .distinct()
                .limit(width)
                .toArray();
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
            var key = key(context, length);
            int[] known = contexts.remove(key);
            int[] row = known == null ? new int[0] : known;
            for (int i = successors.length - 1; i >= 0; i--) {
                row = SuccessorStore.withFirst(row, successors[i], width);
            }
            contexts.putLast(key, row);
            if (contexts.size() > config.capacity()) {
                contexts.pollFirstEntry();
            }
        }
    }

    private static IntBuffer key(int[] context, int length) {
        return IntBuffer.wrap(Arrays.copyOfRange(context, context.length - length, context.length));
    }
}
