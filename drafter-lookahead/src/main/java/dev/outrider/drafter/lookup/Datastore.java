package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.Chunk.Span;
import java.util.List;

/// A corpus whose suffixes are in order, chunk by chunk. Thread-safe; valid until its files are closed.
///
/// @param chunks       the parts
/// @param sortedTokens tokens of a suffix that the order knows
/// @param separator    the token that ends a document
record Datastore(List<Chunk> chunks, int sortedTokens, int separator) {
    Datastore {
        chunks = List.copyOf(chunks);
    }

    /// Where the last `length` of some tokens occur; empty if nowhere.
    List<Span> find(int[] tokens, int length) {
        return chunks.stream()
                .map(chunk -> find(chunk, tokens, length))
                .filter(span -> span.size() > 0)
                .toList();
    }

    private static Span find(Chunk chunk, int[] tokens, int length) {
        var span = chunk.all();
        for (int depth = 0; depth < length && span.size() > 0; depth++) {
            span = chunk.narrowed(span, depth, tokens[tokens.length - length + depth]);
        }
        return span;
    }
}
