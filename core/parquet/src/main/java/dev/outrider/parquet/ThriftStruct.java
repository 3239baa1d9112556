package dev.outrider.parquet;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A structure in Thrift's compact protocol, limited to what Parquet's headers need: integers,
/// booleans, structures and lists of structures by field number. Everything else is skipped. No
/// length is allocated before that many bytes are known to exist, and structures are nested at most
/// [#DEPTH] deep.
///
/// @see "Apache Thrift, thrift-compact-protocol.md"
public final class ThriftStruct {
    /// Maximum nesting of structures and lists.
    public static final int DEPTH = 16;

    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int BYTE = 3;
    private static final int I16 = 4;
    private static final int I64 = 6;
    private static final int DOUBLE = 7;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int LONGEST_NUMBER = 10;

    /// A list whose elements are skipped.
    private record Passed(int type) {}

    private final Map<Integer, Object> fields = new HashMap<>();

    private ThriftStruct() {}

    /// Reads a structure; afterwards the position is behind it.
    ///
    /// @throws EOFException if the bytes end too early
    /// @throws IOException  if it is invalid
    public static ThriftStruct read(ByteBuffer bytes) throws IOException {
        return struct(bytes, 0);
    }

    /// Returns an integer or a boolean (1 for true).
    public OptionalLong number(int field) {
        return fields.get(field) instanceof Long value
                ? OptionalLong.of(value)
                : OptionalLong.empty();
    }

    public Optional<ThriftStruct> struct(int field) {
        return fields.get(field) instanceof ThriftStruct value
                ? Optional.of(value)
                : Optional.empty();
    }

    /// Returns a list of structures, empty if there is none.
    ///
    /// @throws IOException if the field is a list of another type
    public List<ThriftStruct> structs(int field) throws IOException {
        if (fields.get(field) instanceof Passed(int type)) {
            throw new IOException("field %d is a list of type %d".formatted(field, type));
        }
        return fields.get(field) instanceof List<?> list
                ? list.stream().map(ThriftStruct.class::cast).toList()
                : List.of();
    }

    /// Requires that a field is no list, or a list of this element type.
    ///
    /// @throws IOException if it is a list of another type
    public void expect(int field, int type) throws IOException {
        if (fields.get(field) instanceof Passed(int found) && found != type) {
            throw new IOException("field %d is a list of type %d".formatted(field, found));
        }
        if (fields.get(field) instanceof List<?> && type != STRUCT) {
            throw new IOException("field %d is a list of structures".formatted(field));
        }
    }

    private static ThriftStruct struct(ByteBuffer bytes, int depth) throws IOException {
        if (depth == DEPTH) {
            throw new IOException("more than %d structures within each other".formatted(DEPTH));
        }
        var struct = new ThriftStruct();
        long last = 0;
        for (int head = next(bytes); head != 0; head = next(bytes)) {
            int step = head >>> 4;
            last = step == 0 ? zigzag(bytes) : last + step;
            if (last < Short.MIN_VALUE || last > Short.MAX_VALUE) {
                throw new IOException("a field has the number %d".formatted(last));
            }
            struct.fields.put((int) last, value(bytes, head & 15, depth));
        }
        return struct;
    }

    private static Object value(ByteBuffer bytes, int type, int depth) throws IOException {
        return switch (type) {
            case TRUE -> 1L;
            case FALSE -> 0L;
            case BYTE -> (long) (byte) next(bytes);
            case DOUBLE -> passed(bytes, Long.BYTES, type);
            case BINARY -> passed(bytes, varint(bytes), type);
            case LIST -> list(bytes, depth);
            case STRUCT -> struct(bytes, depth + 1);
            default -> {
                if (type < I16 || type > I64) {
                    throw new IOException("a field has the type %d".formatted(type));
                }
                yield zigzag(bytes);
            }
        };
    }

    private static Object list(ByteBuffer bytes, int depth) throws IOException {
        int head = next(bytes);
        int type = head & 15;
        long size = head >>> 4 == 15 ? varint(bytes) : head >>> 4;
        if (size < 0 || size > bytes.remaining()) {
            throw new EOFException("a list of %d elements".formatted(size));
        }
        if (type == TRUE || type == FALSE || type == LIST) {
            throw new IOException("a list has the type %d".formatted(type));
        }
        if (type != STRUCT) {
            for (long i = 0; i < size; i++) {
                value(bytes, type, depth);
            }
            return new Passed(type);
        }
        var structs = new ArrayList<ThriftStruct>();
        for (long i = 0; i < size; i++) {
            structs.add(struct(bytes, depth + 1));
        }
        return structs;
    }

    private static Object passed(ByteBuffer bytes, long length, int type) throws IOException {
        if (length < 0 || length > bytes.remaining()) {
            throw new EOFException("a value of %d bytes".formatted(length));
        }
        bytes.position(bytes.position() + (int) length);
        return new Passed(type);
    }

    private static int next(ByteBuffer bytes) throws EOFException {
        if (!bytes.hasRemaining()) {
            throw new EOFException("the end");
        }
        return bytes.get() & 0xFF;
    }

    /// Reads a number with seven bits per byte, the lowest first.
    ///
    /// @throws IOException if it has more than 64 bits
    public static long varint(ByteBuffer bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < LONGEST_NUMBER; i++) {
            int read = next(bytes);
            value |= (long) (read & 0x7F) << 7 * i;
            if (read < 0x80) {
                return value;
            }
        }
        throw new IOException("a number of more than 64 bits");
    }

    private static long zigzag(ByteBuffer bytes) throws IOException {
        long value = varint(bytes);
        return value >>> 1 ^ -(value & 1);
    }
}
