package dev.outrider.nn.checkpoint;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outrider.common.AtomicFile;
import dev.outrider.common.FailureReason;
import dev.outrider.common.Require;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// Writes safetensors files. Tensors are sorted by descending element size, then by name, so each
/// is aligned and the same tensors give the same bytes.
///
/// @see "safetensors, format description"
public final class SafetensorsWriter {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long CHUNK = 1 << 28;

    private SafetensorsWriter() {}

    /// Writes a file atomically: readers see the old file or the complete new one.
    ///
    /// @param tensors  names are distinct and not `__metadata__`
    /// @param metadata free text for the header; may be empty
    /// @throws OutriderException `IO_FAILED`
    public static void write(
            Path path, Collection<StoredTensor> tensors, Map<String, String> metadata) {
        checkNames(tensors);
        var ordered = new ArrayList<>(tensors);
        ordered.sort(order(StoredTensor::type, StoredTensor::name));
        var header = header(blanks(ordered), metadata);
        FailureReason.writing(
                "the checkpoint",
                path,
                () -> AtomicFile.write(path, temporary -> writeAll(temporary, header, ordered)));
    }

    private static <T> Comparator<T> order(Function<T, TensorType> type, Function<T, String> name) {
        return Comparator.comparingDouble((T tensor) -> -type.apply(tensor).bits())
                .thenComparing(name);
    }

    /// Creates a file of zeros, which most file systems store without using space, and maps it for writing.
    ///
    /// @param tensors type and shape of each tensor by name
    /// @param same    name of a tensor by its other names, which [SafetensorsFile] reads
    /// @param arena   owner of the mapping
    /// @return the bytes of each tensor by name
    /// @throws OutriderException `IO_FAILED`
    public static Map<String, MemorySegment> create(
            Path path, Map<String, Blank> tensors, Map<String, String> same, Arena arena) {
        var blanks = new LinkedHashMap<String, Blank>();
        tensors.entrySet().stream()
                .sorted(order(each -> each.getValue().type(), Map.Entry::getKey))
                .forEach(each -> blanks.put(each.getKey(), each.getValue()));
        var metadata = new HashMap<String, String>();
        same.forEach((name, of) -> metadata.put(SafetensorsFile.SAME + name, of));
        var header = header(blanks, metadata);
        long data = Long.BYTES + header.length;
        long size = data;
        for (var blank : blanks.values()) {
            size += blank.bytes();
        }
        try (var channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            var length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            writeFully(channel, length.putLong(header.length).flip());
            writeFully(channel, ByteBuffer.wrap(header));
            var file = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
            var segments = new HashMap<String, MemorySegment>();
            long at = data;
            for (var entry : blanks.entrySet()) {
                long bytes = entry.getValue().bytes();
                segments.put(entry.getKey(), file.asSlice(at, bytes));
                at += bytes;
            }
            return segments;
        } catch (IOException e) {
            throw FailureReason.writing("the checkpoint", path, e);
        }
    }

    /// A tensor without its numbers.
    public record Blank(TensorType type, List<Long> shape) {
        public Blank {
            shape = List.copyOf(shape);
        }

        long bytes() {
            return type.bytes(StoredTensor.TensorEntry.elements(shape));
        }
    }

    private static void checkNames(Collection<StoredTensor> tensors) {
        var names = new HashSet<String>();
        for (var tensor : tensors) {
            Require.that(
                    names.add(tensor.name()) && !tensor.name().equals("__metadata__"),
                    "tensor name '%s' is taken",
                    tensor.name());
        }
    }

    private static Map<String, Blank> blanks(List<StoredTensor> tensors) {
        var blanks = new LinkedHashMap<String, Blank>();
        tensors.forEach(
                tensor -> blanks.put(tensor.name(), new Blank(tensor.type(), tensor.shape())));
        return blanks;
    }

    private static byte[] header(Map<String, Blank> tensors, Map<String, String> metadata) {
        var root = MAPPER.createObjectNode();
        if (!metadata.isEmpty()) {
            var entries = root.putObject("__metadata__");
            new TreeMap<>(metadata).forEach(entries::put);
        }
        long begin = 0;
        for (var tensor : tensors.entrySet()) {
            long end = begin + tensor.getValue().bytes();
            var entry =
                    root.putObject(tensor.getKey()).put("dtype", tensor.getValue().type().name());
            var shape = entry.putArray("shape");
            tensor.getValue().shape().forEach(shape::add);
            entry.putArray("data_offsets").add(begin).add(end);
            begin = end;
        }
        var json = root.toString();
        int length = json.getBytes(StandardCharsets.UTF_8).length;
        return (json + " ".repeat(-length & 7)).getBytes(StandardCharsets.UTF_8);
    }

    private static void writeAll(Path path, byte[] header, List<StoredTensor> tensors)
            throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            var length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            writeFully(channel, length.putLong(header.length).flip());
            writeFully(channel, ByteBuffer.wrap(header));
            for (var tensor : tensors) {
                writeFully(channel, tensor.data());
            }
            channel.force(true);
        }
    }

    private static void writeFully(FileChannel channel, MemorySegment data) throws IOException {
        for (long at = 0; at < data.byteSize(); at += CHUNK) {
            long size = Math.min(CHUNK, data.byteSize() - at);
            writeFully(channel, data.asSlice(at, size).asByteBuffer());
        }
    }

    private static void writeFully(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int unused = channel.write(bytes);
        }
    }
}
