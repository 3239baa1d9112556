package dev.outrider.treeverify.pass;

import dev.outrider.nn.network.Experts;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceCode.DeviceInfo;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The memory that a program needs on a device. It is calculated before anything is allocated, because drivers report an
/// allocation that does not fit late and in different ways. Confined to one thread.
public final class ProgramMemory {
    private static final double GIBIBYTE = 1 << 30;

    /// Maximum elements of an array, because kernels index them with 32-bit integers.
    private static final long MAX_ELEMENTS = Integer.MAX_VALUE;

    private final List<Part> parts = new ArrayList<>();

    private record Part(String name, long bytes) {}

    /// Returns the memory that a program needs.
    ///
    /// @throws OutriderException `OUT_OF_MEMORY` if an array is longer than kernels can index
    public static ProgramMemory of(ProgramShape shape) {
        var config = shape.config();
        long hidden = config.hiddenSize();
        long inner = Math.max(config.intermediateSize(), shape.experts().sharedSize());
        long chosen = shape.experts().maxChoices();
        long width = shape.experts().form().map(Experts::intermediateSize).orElse(0);
        long rows = shape.maxRows();
        long cache = (long) config.layers() * shape.cacheRows() * shape.cacheWidth();
        var memory =
                new ProgramMemory()
                        .add("norms", shape.norms() + shape.headNorms(), Float.BYTES)
                        .add("biases", shape.biases(), Float.BYTES)
                        .add(
                                "rotations",
                                (long) shape.rotations() * shape.rotationTables(),
                                Float.BYTES)
                        .add("positions", shape.placed() ? shape.positions() : 0, Float.BYTES)
                        .add("keys of the cache", cache, Float.BYTES)
                        .add("values of the cache", cache, Float.BYTES)
                        .add(
                                "hidden states of a pass",
                                (config.layers() + 1) * rows * hidden,
                                Float.BYTES)
                        .add("rows of a pass", rows * hidden + shape.normedRows(), Float.BYTES)
                        .add("queries of a pass", 2 * rows * shape.queryWidth(), Float.BYTES)
                        .add("attention's chunks", shape.chunkResults(), Float.BYTES)
                        .add("inner rows of a pass", rows * inner, Float.BYTES)
                        .add(
                                "choices of experts",
                                shape.experts().choices() + chosen,
                                Integer.BYTES)
                        .add("scores of experts", rows * shape.experts().scores(), Float.BYTES)
                        .add("rows of experts", chosen * (hidden + width), Float.BYTES)
                        .add("logits of a pass", rows * shape.logits(), Float.BYTES)
                        .add(
                                "layer offsets",
                                (config.layers() + 1L) * ProgramShape.LAYER_OFFSETS,
                                Integer.BYTES)
                        .add("masks", rows * shape.maskWords(), Long.BYTES);
        if (config.fusion().isPresent()) {
            memory.add("features of a pass", rows * shape.fusion().featureWidth(), Float.BYTES)
                    .add("joined rows of a pass", 4 * rows * hidden, Float.BYTES)
                    .add("offsets of the join", ProgramShape.LAYER_OFFSETS, Integer.BYTES);
        }
        if (!shape.tiedHead()) {
            memory.add(shape.embedding());
        }
        shape.multiplying().forEach(memory::add);
        return memory;
    }

    /// Adds a matrix.
    public ProgramMemory add(DeviceMatrix matrix) {
        return add(matrix.name(), matrix.words(), Integer.BYTES);
    }

    /// Adds an array.
    ///
    /// @param name         its content, such as `weights of layer 3`
    /// @param elements     its length
    /// @param elementBytes bytes of one element
    /// @throws OutriderException `OUT_OF_MEMORY` if it is too long for kernels to index
    public ProgramMemory add(String name, long elements, int elementBytes) {
        if (elements > MAX_ELEMENTS) {
            throw tooLarge(
                    "%s would be one array of %d elements, and a kernel can index %d"
                            .formatted(name, elements, MAX_ELEMENTS));
        }
        parts.add(new Part(name, elements * elementBytes));
        return this;
    }

    /// Returns the sum.
    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }

    /// Checks that the sum and every part fit a device.
    ///
    /// @throws OutriderException `OUT_OF_MEMORY` if the model does not fit
    public void requireOn(DeviceInfo device) {
        if (bytes() > device.memoryBytes()) {
            throw tooLarge(
                    "the model needs %s on device %d (%s), which has %s; the largest parts are %s"
                            .formatted(
                                    gibibytes(bytes()),
                                    device.index(),
                                    device.name(),
                                    gibibytes(device.memoryBytes()),
                                    largest()));
        }
        for (var part : parts) {
            if (part.bytes() > device.maxArrayBytes()) {
                throw tooLarge(
                        "%s need %s in one array, and device %d (%s) allows %s"
                                .formatted(
                                        part.name(),
                                        gibibytes(part.bytes()),
                                        device.index(),
                                        device.name(),
                                        gibibytes(device.maxArrayBytes())));
            }
        }
    }

    private String largest() {
        return String.join(
                ", ",
                parts.stream()
                        .sorted((a, b) -> Long.compare(b.bytes(), a.bytes()))
                        .limit(3)
                        .map(part -> part.name() + " " + gibibytes(part.bytes()))
                        .toList());
    }

    private static String gibibytes(long bytes) {
        return String.format(Locale.ROOT, "%.2f GiB", bytes / GIBIBYTE);
    }

    private static OutriderException tooLarge(String problem) {
        return new OutriderException(
                ErrorCode.OUT_OF_MEMORY,
                problem,
                "Choose fewer 'cacheRows' or 'rows', a smaller model or another device.");
    }
}
