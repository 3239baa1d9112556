package dev.outrider.nn.checkpoint;

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
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One safetensors file, memory-mapped: a 64-bit header length, a JSON header, and the tensors' bytes. Any size;
/// nothing but the header is read before it is asked for.
///
/// Thread-safe. Owner: whoever opened it; its tensors die with it. The file must not shrink while it is open.
///
/// @see "safetensors, format description"
public final class SafetensorsFile implements TensorFile {
    /// Longer headers are refused by every reader of the format.
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
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_NOT_FOUND,
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
            throw new OutriderException(
                    ErrorCode.SAFETENSORS_CORRUPT,
                    "the file '%s' %s".formatted(path, e.getMessage()),
                    "Download the file again; if it is your own, write it again.");
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "the file '%s' cannot be read: %s".formatted(path, e.getMessage()),
                    "Check that the file is there and may be read.",
                    e);
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

    /// Where it was read.
    public Path path() {
        return path;
    }

    /// Names of the tensors in the order of the header.
    @Override
    public Set<String> names() {
        return Collections.unmodifiableSet(header.tensors().keySet());
    }

    /// Free text that the writer left, such as `format`.
    public Map<String, String> metadata() {
        return Collections.unmodifiableMap(header.metadata());
    }

    /// A tensor by name.
    @Override
    public Optional<StoredTensor> tensor(String name) {
        return Optional.ofNullable(header.tensors().get(name))
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
}
