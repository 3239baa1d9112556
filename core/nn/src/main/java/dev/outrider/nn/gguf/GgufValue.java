package dev.outrider.nn.gguf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// A value of a file's metadata, where it lies in the file.
///
/// @param type  of the value, or of every element
/// @param list  whether it is a list
/// @param count of elements; 1 for a value that is no list
/// @param file  the file
/// @param at    where the first element begins
record GgufValue(GgufValueType type, boolean list, long count, MemorySegment file, long at) {
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Longer texts are templates that nobody wrote; the header's check has seen to it that they end.
    private static final long LONGEST_TEXT = 1 << 24;

    /// Reads past a value.
    static GgufValue read(GgufCursor cursor, MemorySegment file, String what) throws BrokenGguf {
        var type = GgufValueType.ofCode(cursor.word("the type of " + what), what);
        if (type != GgufValueType.ARRAY) {
            long at = cursor.at();
            skip(cursor, type, 1, what);
            return new GgufValue(type, false, 1, file, at);
        }
        var element = GgufValueType.ofCode(cursor.word("the type of " + what), what);
        if (element == GgufValueType.ARRAY) {
            throw new BrokenGguf("has %s, a list of lists; expected a plain list".formatted(what));
        }
        long count = cursor.count("the length of " + what);
        long at = cursor.at();
        skip(cursor, element, count, what);
        return new GgufValue(element, true, count, file, at);
    }

    private static void skip(GgufCursor cursor, GgufValueType type, long count, String what)
            throws BrokenGguf {
        if (type == GgufValueType.STRING) {
            for (long index = 0; index < count; index++) {
                cursor.skipText(what);
            }
            return;
        }
        if (count > Long.MAX_VALUE / type.bytes()) {
            throw new BrokenGguf("has %s of %d elements".formatted(what, count));
        }
        cursor.skip(count * type.bytes(), what);
    }

    /// The elements: `Long`, `Double`, `Boolean` or `String`.
    List<Object> elements() throws BrokenGguf {
        var elements = new ArrayList<>();
        var cursor = new GgufCursor(file, at);
        for (long index = 0; index < count; index++) {
            elements.add(element(cursor));
        }
        return elements;
    }

    private Object element(GgufCursor cursor) throws BrokenGguf {
        if (type == GgufValueType.STRING) {
            return cursor.text("a text of the metadata", LONGEST_TEXT);
        }
        long from = cursor.at();
        cursor.skip(type.bytes(), "a number of the metadata");
        return switch (type) {
            case UINT8 -> (long) Byte.toUnsignedInt(file.get(ValueLayout.JAVA_BYTE, from));
            case INT8 -> (long) file.get(ValueLayout.JAVA_BYTE, from);
            case BOOL -> file.get(ValueLayout.JAVA_BYTE, from) != 0;
            case UINT16 -> (long) Short.toUnsignedInt(file.get(SHORT, from));
            case INT16 -> (long) file.get(SHORT, from);
            case UINT32 -> Integer.toUnsignedLong(file.get(INT, from));
            case INT32 -> (long) file.get(INT, from);
            case FLOAT32 -> written(Float.intBitsToFloat(file.get(INT, from)));
            case FLOAT64 -> Double.longBitsToDouble(file.get(LONG, from));
            case INT64, UINT64 -> file.get(LONG, from);
            case STRING, ARRAY -> throw new IllegalStateException("no number");
        };
    }

    /// The number with the fewest digits that this float is nearest to: what its writer was given.
    private static double written(float number) {
        return Double.parseDouble(Float.toString(number));
    }
}
