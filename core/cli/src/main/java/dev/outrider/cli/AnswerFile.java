package dev.outrider.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// The answers so far, a JSON object a line, each with the `index` of its question. What a killed run wrote in part is cut off
/// when the file is opened. Confined; the caller closes it.
final class AnswerFile implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int CHUNK = 1 << 16;

    /// Bytes of the longest line that is read back.
    private static final int LONGEST = 1 << 26;

    private final Path file;
    private final FileChannel channel;
    private long next;

    private AnswerFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// @throws OutriderException `DATA_INVALID` if the file is something else
    static AnswerFile open(Path file) throws IOException {
        var opened =
                new AnswerFile(
                        file,
                        FileChannel.open(
                                file,
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE));
        try {
            opened.cutToLastLine();
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
        return opened;
    }

    /// Index of the first question that may have no answer.
    long next() {
        return next;
    }

    /// Adds answers, in the order of their questions; they are on the disk when this returns.
    void append(List<ObjectNode> answers) throws IOException {
        if (answers.isEmpty()) {
            return;
        }
        var text = new StringBuilder();
        answers.forEach(answer -> text.append(answer).append('\n'));
        var bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
        next = answers.getLast().path("index").longValue() + 1;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private void cutToLastLine() throws IOException {
        long end = newlineBefore(channel.size());
        channel.truncate(end + 1);
        channel.position(end + 1);
        if (end >= 0) {
            next = index(newlineBefore(end) + 1, end) + 1;
        }
    }

    /// Returns the position of the last newline before a position, or -1.
    private long newlineBefore(long place) throws IOException {
        for (long end = place; end > 0; ) {
            int length = (int) Math.min(CHUNK, end);
            var bytes = read(end - length, length);
            for (int i = length - 1; i >= 0; i--) {
                if (bytes[i] == '\n') {
                    return end - length + i;
                }
            }
            end -= length;
        }
        return -1;
    }

    private long index(long from, long to) throws IOException {
        if (to - from <= LONGEST) {
            try {
                var index = JSON.readTree(read(from, (int) (to - from))).path("index");
                if (index.isIntegralNumber() && index.canConvertToLong()) {
                    return index.longValue();
                }
            } catch (JsonProcessingException _) {
                // said below
            }
        }
        throw new OutriderException(
                ErrorCode.DATA_INVALID,
                "the last line of '%s' is no answer with an 'index'".formatted(file),
                "Choose another folder with --out, or remove the file.");
    }

    private byte[] read(long from, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining() && channel.read(bytes, from + bytes.position()) > 0) {
            continue;
        }
        return bytes.array();
    }
}
