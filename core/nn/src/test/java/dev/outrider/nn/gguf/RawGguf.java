package dev.outrider.nn.gguf;

import dev.outrider.nn.gguf.GgufMetadata.GgufValueType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Writes GGUF files, broken ones too.
public final class RawGguf {
    private static final int ALIGNMENT = 32;

    private record Tensor(String name, int type, List<Long> shape, byte[] data) {}

    private final ByteArrayOutputStream metadata = new ByteArrayOutputStream();
    private final List<Tensor> tensors = new ArrayList<>();
    private int keys;
    private int version = 3;

    /// Another version than the newest.
    public RawGguf version(int value) {
        version = value;
        return this;
    }

    /// A text.
    public RawGguf text(String key, String value) {
        return value(key, GgufValueType.STRING, string(value));
    }

    /// A 32-bit integer.
    public RawGguf number(String key, int value) {
        return value(key, GgufValueType.UINT32, word(value));
    }

    /// A 32-bit float.
    public RawGguf real(String key, float value) {
        return value(key, GgufValueType.FLOAT32, word(Float.floatToIntBits(value)));
    }

    /// A truth value.
    public RawGguf truth(String key, boolean value) {
        return value(key, GgufValueType.BOOL, new byte[] {(byte) (value ? 1 : 0)});
    }

    /// A list of texts.
    public RawGguf texts(String key, List<String> values) {
        return list(
                key,
                GgufValueType.STRING,
                values.size(),
                joined(values.stream().map(RawGguf::string).toArray(byte[][]::new)));
    }

    /// A list of integers.
    public RawGguf numbers(String key, List<Integer> values) {
        return list(
                key,
                GgufValueType.INT32,
                values.size(),
                joined(values.stream().map(RawGguf::word).toArray(byte[][]::new)));
    }

    /// A list of floats.
    public RawGguf reals(String key, List<Float> values) {
        return list(
                key,
                GgufValueType.FLOAT32,
                values.size(),
                joined(
                        values.stream()
                                .map(value -> word(Float.floatToIntBits(value)))
                                .toArray(byte[][]::new)));
    }

    /// A list that says it has so many elements.
    RawGguf list(String key, GgufValueType type, long count, byte[] elements) {
        return value(
                key, GgufValueType.ARRAY, joined(word(type.ordinal()), count(count), elements));
    }

    /// A value as it lies in the file.
    RawGguf value(String key, GgufValueType type, byte[] bytes) {
        metadata.writeBytes(joined(string(key), word(type.ordinal()), bytes));
        keys++;
        return this;
    }

    /// A tensor of 32-bit floats.
    public RawGguf floats(String name, float[] values, long... shape) {
        var buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            buffer.putFloat(value);
        }
        return tensor(name, GgufType.F32, buffer.array(), shape);
    }

    /// A tensor in any format.
    ///
    /// @param shape row-major
    public RawGguf tensor(String name, GgufType type, byte[] data, long... shape) {
        return tensor(name, type.code(), data, shape);
    }

    RawGguf tensor(String name, int type, byte[] data, long... shape) {
        var sizes = new ArrayList<Long>();
        for (long size : shape) {
            sizes.add(size);
        }
        Collections.reverse(sizes);
        tensors.add(new Tensor(name, type, sizes, data));
        return this;
    }

    /// Bytes of the header.
    public byte[] header() {
        var out = new ByteArrayOutputStream();
        out.writeBytes("GGUF".getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(word(version));
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
            at = Math.ceilDiv(at + tensor.data().length, ALIGNMENT) * (long) ALIGNMENT;
        }
        return out.toByteArray();
    }

    /// The whole file.
    public byte[] bytes() {
        var out = new ByteArrayOutputStream();
        out.writeBytes(header());
        pad(out);
        for (var tensor : tensors) {
            out.writeBytes(tensor.data());
            pad(out);
        }
        return out.toByteArray();
    }

    /// Writes it.
    public Path write(Path path) throws IOException {
        return Files.write(path, bytes());
    }

    private static void pad(ByteArrayOutputStream out) {
        out.writeBytes(new byte[Math.floorMod(-out.size(), ALIGNMENT)]);
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
