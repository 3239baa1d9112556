package dev.outrider.nn.gguf;

import dev.outrider.nn.gguf.GgufMetadata.GgufValueType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/// Writes GGUF files. Confined to one thread.
///
/// @see "ggml's documentation of GGUF, version 3"
public final class GgufWriter {
    private static final int VERSION = 3;
    private static final long ALIGNMENT = 32;
    private static final int CHUNK = 1 << 16;

    /// @param shape of the file: the sizes of a row-major shape, the last one first
    private record Tensor(
            String name, int type, List<Long> shape, long bytes, Supplier<MemorySegment> data) {}

    private final ByteArrayOutputStream metadata = new ByteArrayOutputStream();
    private final List<Tensor> tensors = new ArrayList<>();
    private int keys;

    /// Makes an empty file.
    public GgufWriter() {}

    /// Adds a text.
    public GgufWriter text(String key, String value) {
        return value(key, GgufValueType.STRING, string(value));
    }

    /// Adds a 32-bit integer.
    public GgufWriter number(String key, int value) {
        return value(key, GgufValueType.UINT32, word(value));
    }

    /// Adds a 32-bit float.
    public GgufWriter real(String key, float value) {
        return value(key, GgufValueType.FLOAT32, word(Float.floatToIntBits(value)));
    }

    /// Adds a truth value.
    public GgufWriter truth(String key, boolean value) {
        return value(key, GgufValueType.BOOL, new byte[] {(byte) (value ? 1 : 0)});
    }

    /// Adds a list of texts.
    public GgufWriter texts(String key, List<String> values) {
        return list(
                key,
                GgufValueType.STRING,
                values.size(),
                joined(values.stream().map(GgufWriter::string).toArray(byte[][]::new)));
    }

    /// Adds a list of integers.
    public GgufWriter numbers(String key, List<Integer> values) {
        return list(
                key,
                GgufValueType.INT32,
                values.size(),
                joined(values.stream().map(GgufWriter::word).toArray(byte[][]::new)));
    }

    /// Adds a list of floats.
    public GgufWriter reals(String key, List<Float> values) {
        return list(
                key,
                GgufValueType.FLOAT32,
                values.size(),
                joined(
                        values.stream()
                                .map(value -> word(Float.floatToIntBits(value)))
                                .toArray(byte[][]::new)));
    }

    /// Adds a list that states another number of elements than it has.
    GgufWriter list(String key, GgufValueType type, long count, byte[] elements) {
        return value(
                key, GgufValueType.ARRAY, joined(word(type.ordinal()), count(count), elements));
    }

    /// Adds a value with its bytes in the file.
    GgufWriter value(String key, GgufValueType type, byte[] bytes) {
        metadata.writeBytes(joined(string(key), word(type.ordinal()), bytes));
        keys++;
        return this;
    }

    /// Adds a tensor.
    ///
    /// @param shape row-major
    /// @param data  its bytes, requested when the file is written
    public GgufWriter tensor(
            String name, GgufType type, Supplier<MemorySegment> data, long... shape) {
        long elements = Arrays.stream(shape).reduce(1, Math::multiplyExact);
        return tensor(name, type.code(), type.bytes(elements), data, shape);
    }

    /// Adds a tensor of 32-bit floats.
    ///
    /// @param shape row-major
    public GgufWriter floats(String name, float[] values, long... shape) {
        var buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            buffer.putFloat(value);
        }
        return tensor(name, GgufType.F32, buffer.array(), shape);
    }

    /// Adds a tensor.
    ///
    /// @param shape row-major
    public GgufWriter tensor(String name, GgufType type, byte[] data, long... shape) {
        return tensor(name, type.code(), data, shape);
    }

    GgufWriter tensor(String name, int type, byte[] data, long... shape) {
        return tensor(name, type, data.length, () -> MemorySegment.ofArray(data), shape);
    }

    private GgufWriter tensor(
            String name, int type, long bytes, Supplier<MemorySegment> data, long... shape) {
        var sizes = new ArrayList<>(Arrays.stream(shape).boxed().toList());
        Collections.reverse(sizes);
        tensors.add(new Tensor(name, type, sizes, bytes, data));
        return this;
    }

    /// Returns the bytes before those of tensors.
    public byte[] header() {
        var out = new ByteArrayOutputStream();
        out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(word(VERSION));
        out.writeBytes(count(tensors.size()));
        out.writeBytes(count(keys));
        out.writeBytes(metadata.toByteArray());
        long at = 0;
        for (var tensor : tensors) {
            out.writeBytes(string(tensor.name()));
            out.writeBytes(word(tensor.shape().size()));
            tensor.shape().forEach(size -> out.writeBytes(count(size)));
            out.writeBytes(word(tensor.type()));
            out.writeBytes(count(at));
            at = aligned(at + tensor.bytes());
        }
        return out.toByteArray();
    }

    /// Writes the file, and replaces an existing one. Zeros are not written, so they use no space on most file systems.
    ///
    /// @throws IOException if it cannot be written
    public Path write(Path path) throws IOException {
        byte[] header = header();
        long size = aligned(header.length);
        for (var tensor : tensors) {
            size += aligned(tensor.bytes());
        }
        try (var arena = Arena.ofConfined();
                var channel =
                        FileChannel.open(
                                path,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.TRUNCATE_EXISTING,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)) {
            var file = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            MemorySegment.copy(header, 0, file, ValueLayout.JAVA_BYTE, 0, header.length);
            long at = aligned(header.length);
            for (var tensor : tensors) {
                copy(tensor.data().get(), file.asSlice(at, tensor.bytes()));
                at += aligned(tensor.bytes());
            }
            file.force();
        } catch (InternalError e) { // What the JVM makes of a mapped file whose disk is full.
            throw new IOException("the disk may be full", e);
        }
        return path;
    }

    private static void copy(MemorySegment from, MemorySegment to) {
        var zeros = MemorySegment.ofArray(new byte[CHUNK]);
        for (long at = 0; at < to.byteSize(); at += CHUNK) {
            long size = Math.min(CHUNK, to.byteSize() - at);
            var some = from.asSlice(at, size);
            if (some.mismatch(zeros.asSlice(0, size)) >= 0) {
                to.asSlice(at, size).copyFrom(some);
            }
        }
    }

    private static long aligned(long bytes) {
        return Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT;
    }

    static byte[] string(String value) {
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        return joined(count(bytes.length), bytes);
    }

    static byte[] word(int value) {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(value).array();
    }

    static byte[] count(long value) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    static byte[] joined(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (var part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
