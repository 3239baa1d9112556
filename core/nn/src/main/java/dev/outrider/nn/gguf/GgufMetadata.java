package dev.outrider.nn.gguf;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/// The metadata of a GGUF file, by key. A value of the wrong type is refused with its key.
///
/// @param path of the file
public record GgufMetadata(Path path, Map<String, GgufValue> values) {
    /// Many more elements than any vocabulary has.
    private static final int MAX_ELEMENTS = 1 << 24;

    /// Returns all keys, in the order of the file.
    public Set<String> keys() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /// Returns whether there is a value.
    public boolean has(String key) {
        return values.containsKey(key);
    }

    /// Returns whether there is a list.
    public boolean isList(String key) {
        return value(key).filter(GgufValue::list).isPresent();
    }

    /// Returns whether a value is 0 or false, which means that the model lacks a part.
    public boolean isNought(String key) {
        if (isList(key)) {
            return false;
        }
        var value = one(key, Object.class, "a value");
        return value.filter(each ->
                        each.equals(false)
                                || each instanceof Number number && number.doubleValue() == 0)
                .isPresent();
    }

    /// Returns a text, if present.
    public Optional<String> text(String key) {
        return one(key, String.class, "a text");
    }

    /// Returns a required text.
    public String requiredText(String key) {
        return text(key).orElseThrow(() -> invalid("has no " + key));
    }

    /// Returns a boolean, if present.
    public Optional<Boolean> truth(String key) {
        return one(key, Boolean.class, "true or false");
    }

    /// Returns an integer of at least 0, if present.
    public OptionalInt natural(String key) {
        var value = one(key, Long.class, "an integer of at least 0");
        return value.isPresent() ? OptionalInt.of(natural(key, value.get())) : OptionalInt.empty();
    }

    /// Returns a finite number, if present.
    public OptionalDouble number(String key) {
        var value = one(key, Number.class, "a number");
        if (value.isEmpty()) {
            return OptionalDouble.empty();
        }
        double number = value.get().doubleValue();
        if (!Double.isFinite(number)) {
            throw wrong(key, number, "a finite number");
        }
        return OptionalDouble.of(number);
    }

    /// Returns a list of texts, empty if absent.
    public List<String> texts(String key) {
        return all(key, String.class, "a list of texts");
    }

    /// Returns a list of booleans, empty if absent.
    public List<Boolean> truths(String key) {
        return all(key, Boolean.class, "a list of truth values");
    }

    /// Returns a list of integers of at least 0, empty if absent.
    public List<Integer> naturals(String key) {
        return all(key, Long.class, "a list of integers of at least 0").stream()
                .map(value -> natural(key, value))
                .toList();
    }

    /// Returns a list of numbers, empty if absent.
    public List<Double> numbers(String key) {
        return all(key, Number.class, "a list of numbers").stream()
                .map(Number::doubleValue)
                .toList();
    }

    private Optional<GgufValue> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    private int natural(String key, long value) {
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw wrong(key, value, "an integer from 0 to %d".formatted(Integer.MAX_VALUE));
        }
        return (int) value;
    }

    private <T> Optional<T> one(String key, Class<T> type, String expected) {
        if (!has(key)) {
            return Optional.empty();
        }
        if (isList(key)) {
            throw wrong(key, "a list", expected);
        }
        return Optional.of(all(key, type, expected).getFirst());
    }

    private <T> List<T> all(String key, Class<T> type, String expected) {
        var value = value(key);
        if (value.isEmpty()) {
            return List.of();
        }
        if (value.get().count() > MAX_ELEMENTS) {
            throw wrong(key, "a list of " + value.get().count(), "at most " + MAX_ELEMENTS);
        }
        try {
            var elements = new ArrayList<T>();
            for (var element : value.get().elements()) {
                if (!type.isInstance(element)) {
                    throw wrong(key, element, expected);
                }
                elements.add(type.cast(element));
            }
            return elements;
        } catch (BrokenGguf e) {
            throw GgufFile.corrupt(path, e.rule());
        }
    }

    private OutriderException wrong(String key, Object value, String expected) {
        return invalid("has %s = %s; expected %s".formatted(key, value, expected));
    }

    /// Returns the exception for impossible metadata.
    public OutriderException invalid(String problem) {
        return ErrorCode.MODEL_CONFIG_INVALID.error(
                "'%s' %s".formatted(path, problem),
                "Check that the file is a model's own and download it again if need be.");
    }

    /// Returns the exception for a model that is not supported.
    ///
    /// @param what     the value in the metadata
    /// @param expected the supported values
    public OutriderException unsupported(String what, String expected) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                "'%s' has %s; Outrider runs %s".formatted(path, what, expected),
                "Use another file, or the model's safetensors.");
    }

    /// A metadata value at its position in the file.
    ///
    /// @param type  of the value, or of every element
    /// @param list  whether it is a list
    /// @param count of elements; 1 for a value that is not a list
    /// @param file  the file
    /// @param at    first byte of the first element
    record GgufValue(GgufValueType type, boolean list, long count, MemorySegment file, long at) {
        private static final ValueLayout.OfShort SHORT =
                ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        private static final ValueLayout.OfInt INT =
                ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        private static final ValueLayout.OfLong LONG =
                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

        /// No published template is longer. The header's check has verified that the text ends in
        /// the file.
        private static final long LONGEST_TEXT = 1 << 24;

        /// Reads the position of a value and skips its content.
        static GgufValue read(GgufCursor cursor, MemorySegment file, String what)
                throws BrokenGguf {
            var type = GgufValueType.ofCode(cursor.word("the type of " + what), what);
            if (type != GgufValueType.ARRAY) {
                long at = cursor.at();
                skip(cursor, type, 1, what);
                return new GgufValue(type, false, 1, file, at);
            }
            var element = GgufValueType.ofCode(cursor.word("the type of " + what), what);
            if (element == GgufValueType.ARRAY) {
                throw new BrokenGguf(
                        "has %s, a list of lists; expected a plain list".formatted(what));
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

        /// Returns the elements as `Long`, `Double`, `Boolean` or `String`.
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

        /// Returns the number with the fewest digits that rounds to this float.
        private static double written(float number) {
            return Double.parseDouble(Float.toString(number));
        }
    }

    /// Types of metadata, in the order of the file's type numbers.
    enum GgufValueType {
        UINT8(1),
        INT8(1),
        UINT16(2),
        INT16(2),
        UINT32(4),
        INT32(4),
        FLOAT32(4),
        BOOL(1),
        STRING(0),
        ARRAY(0),
        UINT64(8),
        INT64(8),
        FLOAT64(8);

        private static final GgufValueType[] BY_CODE = values();

        private final int bytes;

        GgufValueType(int bytes) {
            this.bytes = bytes;
        }

        static GgufValueType ofCode(long code, String what) throws BrokenGguf {
            if (code >= BY_CODE.length) {
                throw new BrokenGguf(
                        "gives %s the type %d; expected one of 0 to %d"
                                .formatted(what, code, BY_CODE.length - 1));
            }
            return BY_CODE[(int) code];
        }

        /// Returns the bytes of a number; 0 for types without a fixed length.
        int bytes() {
            return bytes;
        }
    }
}
