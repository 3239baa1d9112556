package dev.outrider.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// The answers so far, a JSON object a line, each with the `index` of its question. A line that a killed run wrote in part is cut off
/// when the file is opened. Confined; the caller closes it.
final class AnswerFile implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /// Bytes of the longest line that is read back.
    private static final int LONGEST = 1 << 26;

    private final Path file;
    private final FileChannel channel;
    private long next;

    private AnswerFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /// @throws OutriderException `DATA_INVALID` if the file has other content
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
        long end;
        try (var arena = Arena.ofConfined()) {
            var answers = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            end = newlineBefore(answers, answers.byteSize());
            if (end >= 0) {
                long begin = newlineBefore(answers, end) + 1;
                next = index(answers.asSlice(begin, end - begin)) + 1;
            }
        }
        channel.truncate(end + 1);
        channel.position(end + 1);
    }

    /// Returns the position of the last newline before a position, or -1.
    private static long newlineBefore(MemorySegment answers, long place) {
        long end = place - 1;
        while (end >= 0 && answers.get(ValueLayout.JAVA_BYTE, end) != '\n') {
            end--;
        }
        return end;
    }

    private long index(MemorySegment line) throws IOException {
        if (line.byteSize() <= LONGEST) {
            try {
                var index = JSON.readTree(line.toArray(ValueLayout.JAVA_BYTE)).path("index");
                if (index.isIntegralNumber() && index.canConvertToLong()) {
                    return index.longValue();
                }
            } catch (JsonProcessingException _) {
                // reported below
            }
        }
        throw ErrorCode.DATA_INVALID.error(
                "the last line of '%s' is no answer with an 'index'".formatted(file),
                "Choose another folder with --out, or remove the file.");
    }
}
