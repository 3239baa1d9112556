package dev.outrider.nn.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Bytes of files with any header, well formed or not.
final class RawSafetensors {
    /// A header of one 32-bit float, `a`.
    static final String FLOAT = "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";

    private RawSafetensors() {}

    /// Writes a file: the header's length, the header, the data.
    static Path write(Path directory, String header, byte[]... data) throws IOException {
        var path = directory.resolve("x.safetensors");
        var json = header.getBytes(StandardCharsets.UTF_8);
        Files.write(path, joined(length(json.length), json, joined(data)));
        return path;
    }

    static byte[] floats(float... values) {
        var buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            buffer.putFloat(value);
        }
        return buffer.array();
    }

    static byte[] length(long value) {
        return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    }

    static byte[] joined(byte[]... parts) {
        var bytes = new ByteArrayOutputStream();
        for (var part : parts) {
            bytes.writeBytes(part);
        }
        return bytes.toByteArray();
    }
}
