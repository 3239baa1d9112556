package dev.outrider.demo.corpus.prose;

import dev.outrider.common.BoundedFile;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Reads the character vectors of an R package's data file, `Rdata.rdb`: one zlib stream after another, each a length and one
/// value in the XDR form of R's serialisation ("R Internals", sections 1.8 and 1.17.1).
record RCharacterVectors(Path file) {
    private static final int MAX_FILE_BYTES = 1 << 26;
    private static final int MAX_VALUE_BYTES = 1 << 26;
    private static final int STRING_VECTOR = 16;
    private static final int STRING = 9;
    private static final int TYPE = 0xff;
    private static final int MIN_STRING_BYTES = 8;

    /// Returns every vector of the file, in the order in which they are stored.
    ///
    /// @throws IOException if the file cannot be read or has another format
    static List<List<String>> read(Path file) throws IOException {
        return new RCharacterVectors(file)
                .vectors(ByteBuffer.wrap(BoundedFile.bytes(file, MAX_FILE_BYTES)));
    }

    private List<List<String>> vectors(ByteBuffer bytes) throws IOException {
        List<List<String>> vectors = new ArrayList<>();
        try {
            while (bytes.hasRemaining()) {
                vectors.add(vector(ByteBuffer.wrap(inflated(bytes))));
            }
        } catch (BufferUnderflowException e) {
            throw new FileSystemException(
                    file.toString(), null, "it ends in the middle of a value");
        }
        return vectors;
    }

    private byte[] inflated(ByteBuffer bytes) throws IOException {
        int size = bytes.getInt();
        expect(
                size >= 0 && size <= MAX_VALUE_BYTES,
                "a value of %d bytes is not expected".formatted(size));
        try (var inflater = new Inflater()) {
            inflater.setInput(bytes.slice());
            byte[] value = new byte[size];
            int filled = inflater.inflate(value);
            // Requesting one more byte makes the inflater read the checksum at the end.
            expect(
                    filled == size && inflater.inflate(new byte[1]) == 0 && inflater.finished(),
                    "a value has not the %d bytes it says".formatted(size));
            bytes.position(bytes.position() + Math.toIntExact(inflater.getBytesRead()));
            return value;
        } catch (DataFormatException e) {
            throw new FileSystemException(file.toString(), null, "a value is not zlib's");
        }
    }

    private List<String> vector(ByteBuffer value) throws IOException {
        expect(value.getShort() == 'X' * 256 + '\n', "a value is not in R's XDR form");
        int version = value.getInt();
        expect(version == 2 || version == 3, "R's serialisation is neither version 2 nor 3");
        value.getLong(); // the versions of R that wrote it and that can read it
        if (version == 3) {
            // The name of the encoding, which every string names as well.
            skip(value, value.getInt());
        }
        expect(value.getInt() == STRING_VECTOR, "a value is no plain character vector");
        int count = value.getInt();
        expect(
                count >= 0 && count <= value.remaining() / MIN_STRING_BYTES,
                "a vector has more strings than bytes");
        List<String> strings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            expect((value.getInt() & TYPE) == STRING, "a vector holds more than strings");
            int start = value.position() + Integer.BYTES;
            int length = value.getInt();
            skip(value, length);
            strings.add(new String(value.array(), start, length, StandardCharsets.UTF_8));
        }
        return strings;
    }

    private void skip(ByteBuffer value, int length) throws IOException {
        expect(length >= 0 && length <= value.remaining(), "a string is longer than its value");
        value.position(value.position() + length);
    }

    private void expect(boolean condition, String reason) throws IOException {
        PackageFormat.expect(condition, file, reason);
    }
}
