package dev.outrider.nn.gguf;

import dev.outrider.nn.gguf.GgufFile.GgufTensor;
import dev.outrider.nn.gguf.GgufMetadata.GgufValue;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The checked header of a GGUF file: every length ends within the file, tensors follow each other
/// without overlaps, and their sizes agree with format and shape. No allocation is larger than the
/// file justifies.
///
/// @param metadata by key, in the order of the file
/// @param tensors  by name, in the order of the file
/// @param data     first byte of the data
record GgufHeader(Map<String, GgufValue> metadata, Map<String, GgufTensor> tensors, long data) {
    private static final long MAGIC = 0x46554747;
    private static final int OLDEST = 2;
    private static final int NEWEST = 3;
    private static final String ALIGNMENT = "general.alignment";
    private static final long USUAL_ALIGNMENT = 32;
    private static final long WIDEST_ALIGNMENT = 1 << 16;
    private static final long LONGEST_KEY = 65_535;

    /// ggml's names have at most 64 bytes.
    private static final long LONGEST_NAME = 1024;

    private static final int MAX_DIMENSIONS = 4;

    /// The largest published vocabularies take 30 MB.
    static final long LONGEST = 1 << 28;

    private static final long MAX_ENTRIES = 1 << 20;

    /// Names of ggml's number formats by their number; `-` is a number that has none any more.
    private static final String[] FORMATS =
            """
            F32 F16 Q4_0 Q4_1 - - Q5_0 Q5_1 Q8_0 Q8_1
            Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K IQ2_XXS IQ2_XS IQ3_XXS IQ1_S
            IQ4_NL IQ3_S IQ2_S IQ4_XS I8 I16 I32 I64 F64 IQ1_M
            BF16 - - - TQ1_0 TQ2_0 - - - MXFP4 NVFP4
            """
                    .strip()
                    .split("\\s+");

    /// A number format that is not supported.
    static final class ForeignFormat extends Exception {
        private static final long serialVersionUID = 1L;

        ForeignFormat(String tensor, long code) {
            super("tensor '%s' in the format %s".formatted(tensor, name(code)));
        }

        private static String name(long code) {
            boolean named = code < FORMATS.length && !FORMATS[(int) code].equals("-");
            return named ? FORMATS[(int) code] : "number " + code;
        }
    }

    static GgufHeader parse(MemorySegment file) throws BrokenGguf, ForeignFormat {
        var header = file.asSlice(0, Math.min(LONGEST, file.byteSize()));
        var cursor = new GgufCursor(header, 0);
        if (cursor.word("its first bytes") != MAGIC) {
            throw new BrokenGguf("does not begin with 'GGUF'");
        }
        version(cursor.word("its version"));
        long tensors = entries(cursor, "tensors");
        long keys = entries(cursor, "keys");
        var metadata = metadata(cursor, header, keys);
        long alignment = alignment(metadata);
        var infos = new ArrayList<GgufTensor>();
        for (long number = 0; number < tensors; number++) {
            infos.add(tensor(cursor));
        }
        long data = Math.ceilDiv(cursor.at(), alignment) * alignment;
        var byName = placed(infos, alignment, file.byteSize() - data);
        return new GgufHeader(metadata, byName, data);
    }

    private static long entries(GgufCursor cursor, String what) throws BrokenGguf {
        long count = cursor.count("the number of " + what);
        if (count > MAX_ENTRIES) {
            throw new BrokenGguf(
                    "has %d %s; expected at most %d".formatted(count, what, MAX_ENTRIES));
        }
        return count;
    }

    private static void version(long version) throws BrokenGguf {
        if (version >= OLDEST && version <= NEWEST) {
            return;
        }
        boolean reversed = Integer.reverseBytes((int) version) <= NEWEST && version > 0xFFFF;
        throw new BrokenGguf(
                reversed
                        ? "is big-endian; expected little-endian"
                        : "has version %d; expected %d or %d".formatted(version, OLDEST, NEWEST));
    }

    private static Map<String, GgufValue> metadata(
            GgufCursor cursor, MemorySegment header, long count) throws BrokenGguf {
        var metadata = new LinkedHashMap<String, GgufValue>();
        for (long number = 0; number < count; number++) {
            var key = cursor.text("key %d".formatted(number), LONGEST_KEY);
            var value = GgufValue.read(cursor, header, "the key '%s'".formatted(key));
            if (metadata.put(key, value) != null) {
                throw new BrokenGguf("has the key '%s' twice".formatted(key));
            }
        }
        return metadata;
    }

    private static long alignment(Map<String, GgufValue> metadata) throws BrokenGguf {
        var value = metadata.get(ALIGNMENT);
        if (value == null) {
            return USUAL_ALIGNMENT;
        }
        if (value.list()
                || !(value.elements().getFirst() instanceof Long alignment)
                || Long.bitCount(alignment) != 1
                || alignment < 1
                || alignment > WIDEST_ALIGNMENT) {
            throw new BrokenGguf(
                    "has another %s than a power of two from 1 to %d"
                            .formatted(ALIGNMENT, WIDEST_ALIGNMENT));
        }
        return alignment;
    }

    private static GgufTensor tensor(GgufCursor cursor) throws BrokenGguf, ForeignFormat {
        var name = cursor.text("a tensor's name", LONGEST_NAME);
        var what = "tensor '%s'".formatted(name);
        long dimensions = cursor.word(what);
        if (dimensions > MAX_DIMENSIONS) {
            throw new BrokenGguf(
                    "gives %s %d dimensions; expected at most %d"
                            .formatted(what, dimensions, MAX_DIMENSIONS));
        }
        var shape = new ArrayList<Long>();
        for (int dimension = 0; dimension < dimensions; dimension++) {
            shape.add(cursor.count("a dimension of " + what));
        }
        long code = cursor.word(what);
        long begin = cursor.count("the place of " + what);
        var type = GgufType.ofCode(code).orElseThrow(() -> new ForeignFormat(name, code));
        long bytes = bytes(what, type, shape);
        Collections.reverse(shape);
        return new GgufTensor(name, type, shape, begin, bytes);
    }

    private static long bytes(String what, GgufType type, List<Long> shape) throws BrokenGguf {
        if (!shape.isEmpty() && shape.getFirst() % type.block() != 0) {
            throw new BrokenGguf(
                    "gives %s rows of %d numbers in %s; expected a multiple of %d"
                            .formatted(what, shape.getFirst(), type, type.block()));
        }
        long elements = 1;
        try {
            for (long size : shape) {
                elements = Math.multiplyExact(elements, size);
            }
            return type.bytes(elements);
        } catch (ArithmeticException e) {
            throw new BrokenGguf(
                    "gives %s the dimensions %s of %s, whose size is no number of bytes below 2^63"
                            .formatted(what, shape, type));
        }
    }

    /// Returns tensors in the order of the file, each beginning where the previous one ends.
    private static Map<String, GgufTensor> placed(
            List<GgufTensor> tensors, long alignment, long data) throws BrokenGguf {
        var byName = new LinkedHashMap<String, GgufTensor>();
        long expected = 0;
        for (var tensor : tensors) {
            if (byName.put(tensor.name(), tensor) != null) {
                throw new BrokenGguf("describes tensor '%s' twice".formatted(tensor.name()));
            }
            if (tensor.begin() != expected) {
                throw new BrokenGguf(
                        "has %s before tensor '%s': it begins at byte %d of the data, expected %d"
                                .formatted(
                                        tensor.begin() > expected ? "a hole" : "an overlap",
                                        tensor.name(),
                                        tensor.begin(),
                                        expected));
            }
            if (tensor.bytes() > data - tensor.begin()) {
                throw new BrokenGguf(
                        "says that tensor '%s' has %d bytes from byte %d of the data on, but there are only %d bytes"
                                .formatted(
                                        tensor.name(),
                                        tensor.bytes(),
                                        tensor.begin(),
                                        Math.max(0, data)));
            }
            expected = Math.ceilDiv(tensor.begin() + tensor.bytes(), alignment) * alignment;
        }
        return byName;
    }
}
