package dev.outrider.demo.corpus.prose;

import dev.outrider.common.BoundedFile;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.commons.compress.compressors.z.ZCompressorInputStream;

/// Reads the text file of the Bible Retrieval System, `bible.data`: windows of equal size, each
/// compressed separately as by Unix `compress`, all under the one header that `compress` writes.
/// The file begins with a magic number of 84 bytes, the windows' size and number, and the begin of
/// each window and the end of the last one, in 32-bit big-endian numbers.
final class CompressedWindows {
    private static final byte[] MAGIC =
            "EC02Compressed Data File".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_BYTES = 84;
    private static final byte[] COMPRESS_HEADER = {0x1f, (byte) 0x9d, (byte) 0x90};
    private static final int MAX_FILE_BYTES = 1 << 24;
    private static final int MAX_WINDOW_BYTES = 1 << 20;
    private static final int MAX_WINDOWS = 1 << 10;
    private static final int MAX_DECODER_KIB = 1 << 12;

    private final Path file;
    private final byte[] bytes;

    private CompressedWindows(Path file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /// Returns the text of all windows.
    ///
    /// @throws IOException if the file cannot be read or has another format
    static String read(Path file) throws IOException {
        return new CompressedWindows(file, BoundedFile.bytes(file, MAX_FILE_BYTES)).text();
    }

    private String text() throws IOException {
        expect(
                bytes.length >= MAGIC_BYTES + 2 * Integer.BYTES
                        && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length),
                "it does not begin as the Bible Retrieval System's files do");
        var header = ByteBuffer.wrap(bytes, MAGIC_BYTES, bytes.length - MAGIC_BYTES);
        int windowBytes = header.getInt();
        int windows = header.getInt();
        expect(
                windowBytes >= 1
                        && windowBytes <= MAX_WINDOW_BYTES
                        && windows >= 1
                        && windows <= MAX_WINDOWS
                        && header.remaining() >= (windows + 1) * Integer.BYTES,
                "%d windows of %d bytes are not expected".formatted(windows, windowBytes));
        var text = new ByteArrayOutputStream(windows * windowBytes);
        int start = header.getInt();
        for (int window = 0; window < windows; window++) {
            int end = header.getInt();
            expect(
                    start >= MAGIC_BYTES && start < end && end <= bytes.length,
                    "window %d does not lie in the file".formatted(window));
            byte[] plain = decompressed(start, end, windowBytes);
            expect(
                    plain.length == windowBytes || window == windows - 1,
                    "window %d has %d bytes instead of %d"
                            .formatted(window, plain.length, windowBytes));
            text.writeBytes(plain);
            start = end;
        }
        return text.toString(StandardCharsets.US_ASCII);
    }

    private byte[] decompressed(int start, int end, int most) throws IOException {
        var compressed =
                new SequenceInputStream(
                        new ByteArrayInputStream(COMPRESS_HEADER),
                        new ByteArrayInputStream(bytes, start, end - start));
        try (var plain = new ZCompressorInputStream(compressed, MAX_DECODER_KIB)) {
            return BoundedFile.bytes(plain, file.toString(), most);
        }
    }

    private void expect(boolean condition, String reason) throws IOException {
        PackageFormat.expect(condition, file, reason);
    }
}
