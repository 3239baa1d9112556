package dev.outrider.nn.checkpoint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.outrider.common.FailureReason;
import dev.outrider.nn.checkpoint.CheckpointTensors.TensorFile;
import dev.outrider.nn.checkpoint.StoredTensor.TensorEntry;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// One safetensors file, memory-mapped: a 64-bit header length, a JSON header, and the tensors'
/// bytes. Any size; only the header is read on opening.
///
/// Thread-safe. Owner: the caller that opened it; its tensors are invalid after closing. The file
/// must not shrink while it is open.
///
/// @see "safetensors, format description"
public final class SafetensorsFile implements TensorFile {
    /// The prefix of a key of the metadata whose value is the name of a tensor: the rest of the key is another name of the same
    /// tensor. Other readers do not see the other name.
    static final String SAME = "outrider.same:";

    /// Every reader of the format refuses longer headers.
    static final long LONGEST_HEADER = 100_000_000;

    private final Path path;
    private final Arena arena;
    private final MemorySegment data;
    private final SafetensorsHeader header;

    private SafetensorsFile(Path path, Arena arena, MemorySegment data, SafetensorsHeader header) {
        this.path = path;
        this.arena = arena;
        this.data = data;
        this.header = header;
    }

    /// Maps a file and checks its header.
    ///
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `SAFETENSORS_CORRUPT` or `IO_FAILED`
    public static SafetensorsFile open(Path path) {
        if (!Files.isRegularFile(path)) {
            throw ErrorCode.CHECKPOINT_NOT_FOUND.error(
                    "there is no file '%s'".formatted(path),
                    "Check the path, or download the checkpoint again.");
        }
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long headerEnd = 8 + headerLength(channel);
            var json = headerText(read(channel, 8, (int) headerEnd - 8));
            long dataLength = channel.size() - headerEnd;
            var header = SafetensorsHeader.parse(json, dataLength);
            return map(path, channel, headerEnd, dataLength, header);
        } catch (SafetensorsHeader.Broken e) {
            throw ErrorCode.SAFETENSORS_CORRUPT.error(
                    "the file '%s' %s".formatted(path, e.getMessage()),
                    "Download the file again; if it is your own, write it again.");
        } catch (IOException e) {
            throw FailureReason.reading(path, e);
        }
    }

    private static SafetensorsFile map(
            Path path, FileChannel channel, long begin, long length, SafetensorsHeader header)
            throws IOException {
        var arena = Arena.ofShared();
        try {
            var data = channel.map(FileChannel.MapMode.READ_ONLY, begin, length, arena);
            return new SafetensorsFile(path, arena, data, header);
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    private static long headerLength(FileChannel channel)
            throws IOException, SafetensorsHeader.Broken {
        if (channel.size() < 8) {
            throw new SafetensorsHeader.Broken(
                    "has %d bytes; expected at least the 8 bytes of the header length"
                            .formatted(channel.size()));
        }
        long length = read(channel, 0, 8).order(ByteOrder.LITTLE_ENDIAN).getLong();
        if (length < 0 || length > LONGEST_HEADER) {
            throw new SafetensorsHeader.Broken(
                    "says that its header has %s bytes; expected at most %d"
                            .formatted(Long.toUnsignedString(length), LONGEST_HEADER));
        }
        if (length > channel.size() - 8) {
            throw new SafetensorsHeader.Broken(
                    "says that its header has %d bytes, but only %d follow"
                            .formatted(length, channel.size() - 8));
        }
        return length;
    }

    private static ByteBuffer read(FileChannel channel, long position, int length)
            throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, position + bytes.position()) < 0) {
                throw new EOFException("the file became shorter while it was read");
            }
        }
        return bytes.flip();
    }

    private static String headerText(ByteBuffer header) throws SafetensorsHeader.Broken {
        if (!header.hasRemaining() || header.get(0) != '{') {
            throw new SafetensorsHeader.Broken("has a header that does not begin with '{'");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(header).toString();
        } catch (CharacterCodingException e) {
            throw new SafetensorsHeader.Broken("has a header that is not valid UTF-8");
        }
    }

    /// Returns the path of the file.
    public Path path() {
        return path;
    }

    /// Returns the names of the tensors in the order of the header, then those of the same tensors.
    @Override
    public Set<String> names() {
        var names = new LinkedHashSet<>(header.tensors().keySet());
        names.addAll(header.same().keySet());
        return Collections.unmodifiableSet(names);
    }

    /// Returns free text of the writer, such as `format`.
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(header.metadata());
    }

    /// Returns a tensor by name.
    @Override
    public Optional<StoredTensor> tensor(String name) {
        return Optional.ofNullable(header.tensors().get(header.same().getOrDefault(name, name)))
                .map(entry ->
                        new StoredTensor(
                                name,
                                entry.type(),
                                entry.shape(),
                                data.asSlice(entry.begin(), entry.end() - entry.begin())));
    }

    /// Unmaps the file. Idempotent.
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// The checked header of a safetensors file: tensors fill the data without holes or overlaps,
    /// and every length agrees with type and shape.
    ///
    /// @param tensors  by name, in the order of the header
    /// @param metadata free text, empty if the file has none
    /// @param same     name of a tensor by its other names
    record SafetensorsHeader(
            Map<String, TensorEntry> tensors,
            Map<String, String> metadata,
            Map<String, String> same) {
        private static final String METADATA = "__metadata__";
        private static final JsonFactory FACTORY =
                new JsonFactoryBuilder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();

        /// A violated rule of the format; the message is the end of a sentence about the file.
        static final class Broken extends Exception {
            private static final long serialVersionUID = 1L;

            Broken(String rule) {
                super(rule);
            }
        }

        /// @param json       the header's text
        /// @param dataLength bytes of the file after the header
        static SafetensorsHeader parse(String json, long dataLength) throws Broken {
            var reader = new Reader();
            try (var parser = FACTORY.createParser(json)) {
                reader.read(parser);
            } catch (JsonProcessingException e) {
                throw new Broken("has a header that is not valid JSON: " + e.getOriginalMessage());
            } catch (IOException e) {
                throw new IllegalStateException("a string cannot fail to be read", e);
            }
            checkOffsets(reader.tensors.values(), dataLength);
            return new SafetensorsHeader(
                    reader.tensors, reader.metadata, same(reader.tensors, reader.metadata));
        }

        private static Map<String, String> same(
                Map<String, TensorEntry> tensors, Map<String, String> metadata) throws Broken {
            var same = new LinkedHashMap<String, String>();
            for (var entry : metadata.entrySet()) {
                if (entry.getKey().startsWith(SAME)) {
                    var name = entry.getKey().substring(SAME.length());
                    if (tensors.containsKey(name) || !tensors.containsKey(entry.getValue())) {
                        throw new Broken(
                                "says that tensor '%s' is tensor '%s'; expected another name of a tensor that it has"
                                        .formatted(name, entry.getValue()));
                    }
                    same.put(name, entry.getValue());
                }
            }
            return same;
        }

        private static void checkOffsets(Iterable<TensorEntry> tensors, long dataLength)
                throws Broken {
            var ordered = new ArrayList<TensorEntry>();
            tensors.forEach(ordered::add);
            ordered.sort(
                    Comparator.comparingLong(TensorEntry::begin)
                            .thenComparingLong(TensorEntry::end));
            long expected = 0;
            for (var tensor : ordered) {
                if (tensor.end() > dataLength) {
                    throw new Broken(
                            "says that tensor '%s' ends at byte %d of the data, but there are only %d bytes"
                                    .formatted(tensor.name(), tensor.end(), dataLength));
                }
                if (tensor.begin() != expected) {
                    throw new Broken(
                            "has %s before tensor '%s': it begins at byte %d of the data, expected %d"
                                    .formatted(
                                            tensor.begin() > expected ? "a hole" : "an overlap",
                                            tensor.name(),
                                            tensor.begin(),
                                            expected));
                }
                expected = tensor.end();
            }
            if (expected != dataLength) {
                throw new Broken(
                        "has %d bytes of data, but its tensors end at byte %d"
                                .formatted(dataLength, expected));
            }
        }

        /// Reads the JSON once without recursion, so deep nesting is harmless.
        private static final class Reader {
            final Map<String, TensorEntry> tensors = new LinkedHashMap<>();
            final Map<String, String> metadata = new LinkedHashMap<>();
            private boolean metadataSeen;

            void read(JsonParser parser) throws IOException, Broken {
                if (parser.nextToken() != JsonToken.START_OBJECT) {
                    throw new Broken("has a header that is not a JSON object");
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var name = parser.currentName();
                    parser.nextToken();
                    if (name.equals(METADATA)) {
                        readMetadata(parser);
                    } else if (tensors.put(name, readTensor(name, parser)) != null) {
                        throw new Broken("describes tensor '%s' twice".formatted(name));
                    }
                }
                if (parser.nextToken() != null) {
                    throw new Broken("has text after the header's JSON object");
                }
            }

            private void readMetadata(JsonParser parser) throws IOException, Broken {
                if (metadataSeen) {
                    throw new Broken("has two __metadata__ entries");
                }
                metadataSeen = true;
                if (parser.currentToken() != JsonToken.START_OBJECT) {
                    throw new Broken("has a __metadata__ entry that is not an object of strings");
                }
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var key = parser.currentName();
                    if (parser.nextToken() != JsonToken.VALUE_STRING) {
                        throw new Broken(
                                "has a __metadata__ entry '%s' that is not a string"
                                        .formatted(key));
                    }
                    if (metadata.put(key, parser.getText()) != null) {
                        throw new Broken("has the __metadata__ entry '%s' twice".formatted(key));
                    }
                }
            }

            private static TensorEntry readTensor(String name, JsonParser parser)
                    throws IOException, Broken {
                if (parser.currentToken() != JsonToken.START_OBJECT) {
                    throw new Broken(
                            "describes tensor '%s' by something that is not an object"
                                    .formatted(name));
                }
                var type = "";
                List<Long> shape = List.of();
                List<Long> offsets = List.of();
                var seen = new ArrayList<String>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    var key = parser.currentName();
                    if (seen.contains(key)) {
                        throw new Broken(
                                "gives tensor '%s' the key '%s' twice".formatted(name, key));
                    }
                    seen.add(key);
                    parser.nextToken();
                    switch (key) {
                        case "dtype" -> type = readText(name, parser);
                        case "shape" -> shape = readNumbers(name, key, parser);
                        case "data_offsets" -> offsets = readNumbers(name, key, parser);
                        default ->
                                throw new Broken(
                                        "gives tensor '%s' the unknown key '%s'"
                                                .formatted(name, key));
                    }
                }
                for (var key : List.of("dtype", "shape", "data_offsets")) {
                    if (!seen.contains(key)) {
                        throw new Broken("gives tensor '%s' no %s".formatted(name, key));
                    }
                }
                return entry(name, type, shape, offsets);
            }

            private static String readText(String name, JsonParser parser)
                    throws IOException, Broken {
                if (parser.currentToken() != JsonToken.VALUE_STRING) {
                    throw new Broken(
                            "gives tensor '%s' a dtype that is not a string".formatted(name));
                }
                return parser.getText();
            }

            private static List<Long> readNumbers(String name, String key, JsonParser parser)
                    throws IOException, Broken {
                var numbers = new ArrayList<Long>();
                if (parser.currentToken() != JsonToken.START_ARRAY) {
                    throw new Broken(
                            "gives tensor '%s' a %s that is not a list".formatted(name, key));
                }
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    numbers.add(
                            readSize(parser)
                                    .orElseThrow(() ->
                                            new Broken(
                                                    "gives tensor '%s' a %s with an element that is not an integer from 0 to 2^63 - 1"
                                                            .formatted(name, key))));
                }
                return numbers;
            }

            private static OptionalLong readSize(JsonParser parser) throws IOException {
                if (parser.currentToken() != JsonToken.VALUE_NUMBER_INT
                        || parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                    return OptionalLong.empty();
                }
                long value = parser.getLongValue();
                return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
            }

            private static TensorEntry entry(
                    String name, String typeName, List<Long> shape, List<Long> offsets)
                    throws Broken {
                var type =
                        TensorType.named(typeName)
                                .orElseThrow(() ->
                                        new Broken(
                                                "gives tensor '%s' the unknown dtype '%s'"
                                                        .formatted(name, typeName)));
                if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
                    throw new Broken(
                            "gives tensor '%s' the data_offsets %s; expected [begin, end] with begin <= end"
                                    .formatted(name, offsets));
                }
                long begin = offsets.get(0);
                long end = offsets.get(1);
                long bytes;
                try {
                    bytes = type.bytes(TensorEntry.elements(shape));
                } catch (ArithmeticException e) {
                    throw new Broken(
                            "gives tensor '%s' the shape %s of %s, whose size is no whole number of bytes below 2^63"
                                    .formatted(name, shape, type));
                }
                if (end - begin != bytes) {
                    throw new Broken(
                            "gives tensor '%s' %d bytes, but shape %s of %s takes %d"
                                    .formatted(name, end - begin, shape, type, bytes));
                }
                return new TensorEntry(name, type, shape, begin, end);
            }
        }
    }
}
