package dev.outrider.nn.gguf;

import dev.outrider.common.FailureReason;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/// One GGUF file, memory-mapped: metadata, the positions of tensors, and their bytes. Any size;
/// only the header is read on opening.
///
/// Thread-safe. Owner: the caller that opened it; its segments are invalid after closing. The file
/// must not shrink while it is open.
///
/// @see "ggml, docs/gguf.md"
public final class GgufFile implements AutoCloseable {
    private static final String ENDING = ".gguf";
    private static final String PARTS = "split.count";

    private final Path path;
    private final Arena arena;
    private final MemorySegment file;
    private final GgufHeader header;

    private GgufFile(Path path, Arena arena, MemorySegment file, GgufHeader header) {
        this.path = path;
        this.arena = arena;
        this.file = file;
        this.header = header;
    }

    /// Returns whether a path is a GGUF file.
    public static boolean is(Path path) {
        return named(path) && Files.isRegularFile(path);
    }

    /// Returns whether a path has the name of a GGUF file.
    public static boolean named(Path path) {
        return path.toString().toLowerCase(Locale.ROOT).endsWith(ENDING);
    }

    /// Maps a file and checks its header.
    ///
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `GGUF_CORRUPT`, `CHECKPOINT_UNSUPPORTED` or `IO_FAILED`
    public static GgufFile open(Path path) {
        if (!Files.isRegularFile(path)) {
            throw ErrorCode.CHECKPOINT_NOT_FOUND.error(
                    "there is no file '%s'".formatted(path),
                    "Check the path, or download the file again.");
        }
        var arena = Arena.ofShared();
        boolean whole = false;
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            var file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            var result = new GgufFile(path, arena, file, GgufHeader.parse(file));
            result.requireWhole();
            whole = true;
            return result;
        } catch (BrokenGguf e) {
            throw corrupt(path, e.rule());
        } catch (GgufHeader.ForeignFormat e) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' has %s; expected one of %s"
                            .formatted(path, e.getMessage(), List.of(GgufType.values())),
                    "Take another file of the model, such as Q4_K_M, or make one with llama.cpp: llama-quantize --allow-requantize IN OUT Q4_K_M.");
        } catch (IOException e) {
            throw FailureReason.reading(path, e);
        } finally {
            if (!whole) {
                arena.close();
            }
        }
    }

    private void requireWhole() {
        OptionalInt parts = metadata().natural(PARTS);
        if (parts.orElse(0) > 1) {
            throw ErrorCode.CHECKPOINT_UNSUPPORTED.error(
                    "'%s' is one of %d files that a model was split into (%s)"
                            .formatted(path, parts.getAsInt(), PARTS),
                    "Join them with llama.cpp: llama-gguf-split --merge FIRST OUT.gguf.");
        }
    }

    static OutriderException corrupt(Path path, String problem) {
        return ErrorCode.GGUF_CORRUPT.error(
                "the file '%s' %s".formatted(path, problem),
                "Download the file again; if it is your own, write it again.");
    }

    /// Returns the path of the file.
    public Path path() {
        return path;
    }

    /// Returns the model's metadata.
    public GgufMetadata metadata() {
        return new GgufMetadata(path, header.metadata());
    }

    /// Returns its tensors by name, in the order of the file.
    public Map<String, GgufTensor> tensors() {
        return Collections.unmodifiableMap(header.tensors());
    }

    /// Returns a tensor's bytes.
    public MemorySegment data(GgufTensor tensor) {
        return file.asSlice(header.data() + tensor.begin(), tensor.bytes());
    }

    /// Returns the numbers of a small tensor; empty if it is absent.
    public float[] numbers(String name) {
        var tensor = header.tensors().get(name);
        if (tensor == null) {
            return new float[0];
        }
        long count = tensor.bytes() / tensor.type().bytes() * tensor.type().block();
        if (count > 1 << 20) {
            throw corrupt(path, "has %d numbers in tensor '%s'".formatted(count, name));
        }
        var numbers = new float[(int) count];
        var block = new float[tensor.type().block()];
        var reader = new WeightBlock();
        var data = data(tensor);
        for (int at = 0; at < count; at += block.length) {
            reader.numbers(
                    tensor.type(), data, (long) at / block.length * tensor.type().bytes(), block);
            System.arraycopy(block, 0, numbers, at, block.length);
        }
        return numbers;
    }

    /// Unmaps the file. Idempotent.
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /// The position of one tensor in a file.
    ///
    /// @param name  unique in the file
    /// @param type  number format
    /// @param shape sizes of the dimensions, row-major (the file has the reverse order)
    /// @param begin first byte, counted from the start of the data
    /// @param bytes number of bytes
    public record GgufTensor(String name, GgufType type, List<Long> shape, long begin, long bytes) {
        public GgufTensor {
            shape = List.copyOf(shape);
        }
    }
}
