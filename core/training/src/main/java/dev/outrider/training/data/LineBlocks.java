package dev.outrider.training.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outrider.training.data.DataSourceConfig.RecordKind;
import dev.outrider.training.data.LineBlocks.Utf8;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A file with one record per line. A block has the lines that begin in it.
///
/// @param file   with lines
/// @param size   of the file in bytes
/// @param record reads a line
record LineBlocks(Path file, long size, LineRecord record) implements Blocks {
    /// Bytes of a block.
    static final int BLOCK = 1 << 20;

    /// Bytes of the longest line.
    static final int LONGEST = 1 << 24;

    /// Reads a line.
    @FunctionalInterface
    interface LineRecord {
        /// Returns the document of a line that is not blank; empty if it has no text.
        ///
        /// @param offset of the line in the file, for messages
        Optional<Document> read(byte[] line, Path file, long offset);
    }

    @Override
    public int count() {
        return Math.toIntExact((size + BLOCK - 1) / BLOCK);
    }

    @Override
    public List<Document> read(int block) throws IOException {
        long start = (long) block * BLOCK;
        long end = Math.min(size, start + BLOCK);
        try (var channel = FileChannel.open(file)) {
            channel.position(Math.max(0, start - 1));
            var stream = new BufferedInputStream(Channels.newInputStream(channel), 1 << 16);
            long at = start == 0 ? 0 : afterLine(stream, start, end);
            var documents = new ArrayList<Document>();
            while (at < end) {
                var line = line(stream, at);
                if (line.isEmpty()) {
                    break;
                }
                record(line.get(), at).ifPresent(documents::add);
                at += line.get().length;
            }
            return documents;
        }
    }

    private Optional<Document> record(byte[] line, long offset) {
        for (byte each : line) {
            if (each != ' ' && each != '\t' && each != '\r' && each != '\n') {
                return record.read(line, file, offset);
            }
        }
        return Optional.empty();
    }

    /// Returns the start of the first line of a block, or the block's end if no line begins in it.
    private static long afterLine(InputStream stream, long start, long end) throws IOException {
        for (long at = start - 1; at < end; at++) {
            int read = stream.read();
            if (read < 0) {
                return end;
            }
            if (read == '\n') {
                return at + 1;
            }
        }
        return end;
    }

    /// Returns the next line with its end; empty at the end of the file.
    private Optional<byte[]> line(InputStream stream, long offset) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int read = stream.read(); read >= 0; read = stream.read()) {
            if (line.size() == LONGEST) {
                throw DataFailures.at(
                        file,
                        offset,
                        "the line has more than %d bytes, the most that is read"
                                .formatted(LONGEST));
            }
            line.write(read);
            if (read == '\n') {
                break;
            }
        }
        return line.size() == 0 ? Optional.empty() : Optional.of(line.toByteArray());
    }

    /// Bytes of a file as text.
    static final class Utf8 {
        private static final int MARK = '\uFEFF';

        private Utf8() {}

        /// @param start whether the file begins here, where a byte order mark may be
        /// @throws CharacterCodingException if it is not UTF-8
        static String decoded(byte[] bytes, int from, int to, boolean start)
                throws CharacterCodingException {
            var text =
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, from, to - from))
                            .toString();
            return start && !text.isEmpty() && text.charAt(0) == MARK ? text.substring(1) : text;
        }
    }

    /// Lines with a JSON object each. Thread-safe.
    ///
    /// @param kind of records; if absent, their fields decide
    record JsonRecords(Optional<RecordKind> kind) implements LineBlocks.LineRecord {
        private static final ObjectMapper JSON = mapper();

        private static ObjectMapper mapper() {
            var mapper =
                    JsonMapper.builder()
                            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                            .build();
            mapper.getFactory()
                    .setStreamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(LineBlocks.LONGEST)
                                    .maxNestingDepth(100)
                                    .build());
            return mapper;
        }

        @Override
        public Optional<Document> read(byte[] line, Path file, long offset) {
            return Optional.of(json(line, file, offset))
                    .map(json -> document(json, file, offset))
                    .filter(Document::hasText);
        }

        private static JsonNode json(byte[] line, Path file, long offset) {
            try {
                return JSON.readTree(Utf8.decoded(line, 0, line.length, offset == 0));
            } catch (CharacterCodingException e) {
                throw DataFailures.at(
                        file, offset, "expected a JSON object in UTF-8, got other bytes");
            } catch (JsonProcessingException e) {
                throw DataFailures.at(
                        file,
                        offset,
                        "expected a JSON object: "
                                + e.getOriginalMessage().lines().findFirst().orElse(""));
            }
        }

        private Document document(JsonNode json, Path file, long offset) {
            var fields = new RecordFields(json, problem -> DataFailures.at(file, offset, problem));
            return fields.document(kind);
        }
    }
}
