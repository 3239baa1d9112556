package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.Chunk.Span;
import java.util.List;

/// A corpus with sorted suffixes, chunk by chunk. Thread-safe; valid until its files are closed.
///
/// @param chunks       the parts
/// @param sortedTokens number of tokens of a suffix that the order compares
/// @param separator    the token that ends a document
record Datastore(List<Chunk> chunks, int sortedTokens, int separator) {
    Datastore {
        chunks = List.copyOf(chunks);
    }

    /// Returns the occurrences of the last `length` of some tokens; empty if there are none.
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
