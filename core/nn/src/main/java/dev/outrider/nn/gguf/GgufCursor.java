package dev.outrider.nn.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Reads a header from its beginning, never beyond its end.
final class GgufCursor {
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment header;
    private long at;

    GgufCursor(MemorySegment header, long at) {
        this.header = header;
        this.at = at;
    }

    /// Returns the position of the next byte.
    long at() {
        return at;
    }

    /// Reads an unsigned 32-bit number.
    long word(String what) throws BrokenGguf {
        return Integer.toUnsignedLong(header.get(INT, take(Integer.BYTES, what)));
    }

    /// Reads an unsigned 64-bit number; larger ones than `Long.MAX_VALUE` are refused.
    long count(String what) throws BrokenGguf {
        long value = header.get(LONG, take(Long.BYTES, what));
        if (value < 0) {
            throw new BrokenGguf(
                    "has %s %s; expected at most 2^63 - 1"
                            .formatted(what, Long.toUnsignedString(value)));
        }
        return value;
    }

    /// Reads a text that follows its length in bytes.
    ///
    /// @param most maximum length in bytes
    String text(String what, long most) throws BrokenGguf {
        long length = count("a length of " + what);
        if (length > most) {
            throw new BrokenGguf(
                    "has %s of %d bytes; expected at most %d".formatted(what, length, most));
        }
        long from = take(length, what);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(header.asSlice(from, length).asByteBuffer())
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BrokenGguf("has %s that is not valid UTF-8".formatted(what));
        }
    }

    /// Skips a text.
    void skipText(String what) throws BrokenGguf {
        skip(count("a length of " + what), what);
    }

    /// Skips bytes.
    void skip(long bytes, String what) throws BrokenGguf {
        take(bytes, what);
    }

    private long take(long bytes, String what) throws BrokenGguf {
        if (bytes > header.byteSize() - at) {
            throw new BrokenGguf(
                    "has a header that ends within %s: %d bytes are wanted at byte %d of %d"
                            .formatted(what, bytes, at, header.byteSize()));
        }
        long from = at;
        at += bytes;
        return from;
    }
}
