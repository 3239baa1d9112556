package dev.outrider.nn.train;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads and writes the safetensors files of a training run. They are small and its own; checkpoints of others are read
/// elsewhere, with every check a hostile file needs.
final class TensorFile {
    private static final ObjectMapper JSON = new ObjectMapper();

    private TensorFile() {}

    /// A tensor.
    record Entry(long[] shape, float[] values) {}

    /// What a file holds.
    record Content(Map<String, String> metadata, Map<String, Entry> tensors) {
        Entry tensor(String name) {
            var tensor = tensors.get(name);
            if (tensor == null) {
                throw new IllegalArgumentException(
                        "no tensor %s; there are %s".formatted(name, tensors.keySet()));
            }
            return tensor;
        }
    }

    /// How numbers are stored.
    enum Storage {
        F32(4),
        BF16(2);

        private final int bytes;

        Storage(int bytes) {
            this.bytes = bytes;
        }
    }

    /// Write atomically: the old file stays whole until the new one is.
    static void write(Path file, Content content, Storage storage) throws IOException {
        var header = JSON.createObjectNode();
        var metadata = header.putObject("__metadata__");
        content.metadata().forEach(metadata::put);
        long offset = 0;
        for (var tensor : content.tensors().entrySet()) {
            var node = header.putObject(tensor.getKey()).put("dtype", storage.name());
            var shape = node.putArray("shape");
            for (long dimension : tensor.getValue().shape()) {
                shape.add(dimension);
            }
            long end = offset + (long) tensor.getValue().values().length * storage.bytes;
            node.putArray("data_offsets").add(offset).add(end);
            offset = end;
        }
        var json = header.toString();
        // Data start at a multiple of eight, so that a reader may map them.
        json += " ".repeat((8 - json.length() % 8) % 8);
        var partial = file.resolveSibling(file.getFileName() + ".partial");
        try (var channel =
                FileChannel.open(
                        partial,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var bytes = json.getBytes(StandardCharsets.UTF_8);
            writeAll(
                    channel,
                    ByteBuffer.allocate(8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(bytes.length)
                            .flip());
            writeAll(channel, ByteBuffer.wrap(bytes));
            for (var tensor : content.tensors().values()) {
                writeAll(channel, encode(tensor.values(), storage));
            }
            channel.force(true);
        }
        Files.move(
                partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Read a file that [#write] wrote.
    static Content read(Path file) throws IOException {
        var bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int length = Math.toIntExact(bytes.getLong());
        var header = JSON.readTree(bytes.array(), 8, length);
        var metadata = new LinkedHashMap<String, String>();
        var tensors = new LinkedHashMap<String, Entry>();
        for (var field : header.properties()) {
            if (field.getKey().equals("__metadata__")) {
                field.getValue()
                        .properties()
                        .forEach(entry -> metadata.put(entry.getKey(), entry.getValue().asText()));
            } else {
                tensors.put(field.getKey(), decode(bytes, 8 + length, field.getValue()));
            }
        }
        return new Content(metadata, tensors);
    }

    private static Entry decode(ByteBuffer bytes, int dataStart, JsonNode node) {
        var shape = new long[node.get("shape").size()];
        int count = 1;
        for (int i = 0; i < shape.length; i++) {
            shape[i] = node.get("shape").get(i).asLong();
            count = Math.multiplyExact(count, Math.toIntExact(shape[i]));
        }
        int start = dataStart + node.get("data_offsets").get(0).asInt();
        var values = new float[count];
        switch (Storage.valueOf(node.get("dtype").asText())) {
            case F32 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = bytes.getFloat(start + 4 * i);
                }
            }
            case BF16 -> {
                for (int i = 0; i < count; i++) {
                    values[i] = Float.intBitsToFloat(bytes.getShort(start + 2 * i) << 16);
                }
            }
        }
        return new Entry(shape, values);
    }

    private static ByteBuffer encode(float[] values, Storage storage) {
        var bytes =
                ByteBuffer.allocate(values.length * storage.bytes).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            switch (storage) {
                case F32 -> bytes.putFloat(value);
                case BF16 -> bytes.putShort(nearestBfloat16(value));
            }
        }
        return bytes.flip();
    }

    /// Round to nearest, ties to even.
    private static short nearestBfloat16(float value) {
        int bits = Float.floatToIntBits(value);
        return (short) ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16);
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
