package dev.outrider.nn.gguf;

import dev.outrider.nn.gguf.GgufBlock.Dequantiser;
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

/// One GGUF file, memory-mapped: metadata, the places of tensors, and their bytes. Any size; nothing but the header is read before it
/// is asked for.
///
/// Thread-safe. Owner: whoever opened it; what it showed dies with it. The file must not shrink while it is open.
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

    /// Whether a path is that of such a file.
    public static boolean is(Path path) {
        return named(path) && Files.isRegularFile(path);
    }

    /// Whether a path is called as such files are.
    public static boolean named(Path path) {
        return path.toString().toLowerCase(Locale.ROOT).endsWith(ENDING);
    }

    /// Maps a file and checks its header.
    ///
    /// @throws OutriderException `CHECKPOINT_NOT_FOUND`, `GGUF_CORRUPT`, `CHECKPOINT_UNSUPPORTED` or `IO_FAILED`
    public static GgufFile open(Path path) {
        if (!Files.isRegularFile(path)) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_NOT_FOUND,
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
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' has %s; expected one of %s"
                            .formatted(path, e.getMessage(), List.of(GgufType.values())),
                    "Take another file of the model, such as Q4_K_M, or make one with llama.cpp: llama-quantize --allow-requantize IN OUT Q4_K_M.");
        } catch (IOException e) {
            throw new OutriderException(
                    ErrorCode.IO_FAILED,
                    "the file '%s' cannot be read: %s".formatted(path, e.getMessage()),
                    "Check that the file is there and may be read.",
                    e);
        } finally {
            if (!whole) {
                arena.close();
            }
        }
    }

    private void requireWhole() {
        OptionalInt parts = metadata().natural(PARTS);
        if (parts.orElse(0) > 1) {
            throw new OutriderException(
                    ErrorCode.CHECKPOINT_UNSUPPORTED,
                    "'%s' is one of %d files that a model was split into (%s)"
                            .formatted(path, parts.getAsInt(), PARTS),
                    "Join them with llama.cpp: llama-gguf-split --merge FIRST OUT.gguf.");
        }
    }

    static OutriderException corrupt(Path path, String problem) {
        return new OutriderException(
                ErrorCode.GGUF_CORRUPT,
                "the file '%s' %s".formatted(path, problem),
                "Download the file again; if it is your own, write it again.");
    }

    /// Where it was read.
    public Path path() {
        return path;
    }

    /// What it says of its model.
    public GgufMetadata metadata() {
        return new GgufMetadata(path, header.metadata());
    }

    /// Its tensors by name, in the order of the file.
    public Map<String, GgufTensor> tensors() {
        return Collections.unmodifiableMap(header.tensors());
    }

    /// A tensor's bytes.
    public MemorySegment data(GgufTensor tensor) {
        return file.asSlice(header.data() + tensor.begin(), tensor.bytes());
    }

    /// Numbers of a small tensor; empty if it is absent.
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
        var dequantiser = new Dequantiser(data(tensor));
        for (int at = 0; at < count; at += block.length) {
            dequantiser.block(
                    tensor.type(), (long) at / block.length * tensor.type().bytes(), block);
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

    /// Where a file keeps one tensor.
    ///
    /// @param name  unique in the file
    /// @param type  number format
    /// @param shape sizes of the dimensions, row-major: the file lists them the other way round
    /// @param begin first byte, counted from the start of the data
    /// @param bytes how many
    public record GgufTensor(String name, GgufType type, List<Long> shape, long begin, long bytes) {
        public GgufTensor {
            shape = List.copyOf(shape);
        }
    }

    /// A rule of the format that a file breaks, told as the end of a sentence about the file.
    static final class BrokenGguf extends Exception {
        private static final long serialVersionUID = 1L;

        private final String rule;

        BrokenGguf(String rule) {
            super(rule);
            this.rule = rule;
        }

        /// The end of a sentence about the file.
        String rule() {
            return rule;
        }
    }
}
