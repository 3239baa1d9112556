package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.Datastore.Chunk.Span;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
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

    /// A part of a corpus with its sorted suffixes, both in mapped memory. The file is untrusted: a
    /// position outside of the text is an error with a code, and a wrong order only finds less.
    /// Thread-safe.
    ///
    /// @param name       for errors
    /// @param tokens     token ids, 32 bits each, shape `[length]`
    /// @param order      beginnings of suffixes, ascending by their first tokens, 32 bits each, shape
    ///     `[length]`
    /// @param vocabulary token ids are below it
    record Chunk(String name, MemorySegment tokens, MemorySegment order, int vocabulary) {
        private static final ValueLayout.OfInt I32 =
                ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        /// Suffixes that begin with the same tokens: entries `from` to `to - 1` of the order.
        record Span(Chunk chunk, int from, int to) {
            int size() {
                return to - from;
            }
        }

        /// Returns all suffixes.
        Span all() {
            return new Span(this, 0, length());
        }

        int length() {
            return Math.toIntExact(order.byteSize() / Integer.BYTES);
        }

        /// Returns those of some suffixes, equal in `depth` tokens, that continue with a token;
        /// possibly none.
        Span narrowed(Span span, int depth, int token) {
            int from = first(span.from(), span.to(), depth, token);
            return new Span(this, from, first(from, span.to(), depth, token + 1));
        }

        /// Returns the first group of suffixes, equal in `depth` tokens, with the same next token: at
        /// least the first of the span. The end of the group is searched near its beginning first,
        /// since most groups are small.
        Span group(int from, int to, int depth) {
            int token = token(from, depth);
            int step = 1;
            while (from + step < to && token(from + step, depth) <= token) {
                step *= 2;
            }
            int end = first(from + step / 2, Math.min(to, from + step), depth, token + 1);
            return new Span(this, from, Math.max(end, from + 1));
        }

        /// Returns the token at a depth of the suffix at an entry of the order; -1 after the end of the
        /// text.
        int token(int place, int depth) {
            int position = order.getAtIndex(I32, place);
            long at = (long) position + depth;
            if (position < 0 || position >= length()) {
                throw broken("position %d of a text of %d tokens".formatted(position, length()));
            }
            if (at >= length()) {
                return -1;
            }
            int token = tokens.getAtIndex(I32, at);
            if (token < 0 || token >= vocabulary) {
                throw broken("token %d, expected 0 to %d".formatted(token, vocabulary - 1));
            }
            return token;
        }

        /// Returns the first entry whose suffix continues with at least this token.
        private int first(int from, int to, int depth, int token) {
            int low = from;
            int high = to;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (token(middle, depth) < token) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }

        private OutriderException broken(String what) {
            return ErrorCode.DATA_INVALID.error(
                    "the datastore's file '%s' is broken: it has %s".formatted(name, what),
                    "Make the datastore again with 'outrider train datastore'.");
        }
    }
}
