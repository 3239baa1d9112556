package dev.outrider.treeverify.pass;

import dev.outrider.spi.ErrorCode;
import dev.outrider.spi.OutriderException;
import dev.outrider.treeverify.DeviceInfo;
import java.util.stream.LongStream;

/// What a program takes of the device's memory, in bytes, computed before anything is allocated.
///
/// @param weights      all weights, biases and tables
/// @param cache        keys and values of all sequences
/// @param activations  what a run computes, logits and kept hidden states included
/// @param longestArray the longest single array
public record MemoryDemand(long weights, long cache, long activations, long longestArray) {
    /// The demand of a program over 32-bit numbers.
    public static MemoryDemand of(ProgramShape shape) {
        var config = shape.config();
        long hidden = config.hiddenSize();
        long vocabulary = config.vocabularySize() * hidden;
        long perLayer =
                (shape.queryKeyValueOutputs() + shape.queryWidth()) * hidden
                        + 3L * config.intermediateSize() * hidden;
        long weights =
                (config.tiedHead() ? 1 : 2) * vocabulary
                        + config.layers() * perLayer
                        + shape.norms()
                        + shape.headNorms()
                        + shape.biases()
                        + 2L * shape.rotations();
        long cache = 2L * config.layers() * shape.cacheRows() * shape.cacheWidth();
        long perRow =
                (config.layers() + 3L) * hidden
                        + 2L * shape.queryWidth()
                        + config.intermediateSize()
                        + config.vocabularySize();
        long longest =
                LongStream.of(
                                cache / 2,
                                vocabulary,
                                2L * config.intermediateSize() * hidden,
                                (long) shape.maxRows() * config.vocabularySize(),
                                (config.layers() + 1L) * shape.maxRows() * hidden)
                        .max()
                        .orElseThrow();
        return new MemoryDemand(
                Float.BYTES * weights,
                Float.BYTES * cache,
                Float.BYTES * perRow * shape.maxRows()
                        + (long) Long.BYTES * shape.maxRows() * shape.maskWords(),
                Float.BYTES * longest);
    }

    /// All of it.
    public long bytes() {
        return weights + cache + activations;
    }

    /// Refuses a device that is too small.
    ///
    /// @param name  how messages call the target
    /// @param limit what the runtime may take of the device's memory, in bytes
    /// @throws OutriderException `OUT_OF_MEMORY`
    public void requireFits(String name, DeviceInfo device, long limit) {
        if (bytes() > device.memoryBytes()) {
            throw tooSmall(
                    "target '%s' takes %s of the device's memory (weights %s, cache %s, passes %s), but '%s' has %s"
                            .formatted(
                                    name,
                                    mebibytes(bytes()),
                                    mebibytes(weights),
                                    mebibytes(cache),
                                    mebibytes(activations),
                                    device.name(),
                                    mebibytes(device.memoryBytes())));
        }
        if (bytes() > limit) {
            throw new OutriderException(
                    ErrorCode.OUT_OF_MEMORY,
                    "target '%s' takes %s of the device's memory, but TornadoVM was started to take at most %s"
                            .formatted(name, mebibytes(bytes()), mebibytes(limit)),
                    "Start the JVM with a larger -Dtornado.device.memory, such as %dGB."
                            .formatted(Math.ceilDiv(bytes(), 1L << 30) + 1));
        }
        if (longestArray > device.maxArrayBytes()) {
            throw tooSmall(
                    "target '%s' needs an array of %s, but the longest that '%s' takes has %s"
                            .formatted(
                                    name,
                                    mebibytes(longestArray),
                                    device.name(),
                                    mebibytes(device.maxArrayBytes())));
        }
    }

    private static OutriderException tooSmall(String problem) {
        return new OutriderException(
                ErrorCode.OUT_OF_MEMORY,
                problem,
                "Lower target.cacheRows or target.rows, choose a smaller model, or another device.");
    }

    private static String mebibytes(long bytes) {
        return "%d MiB".formatted(Math.ceilDiv(bytes, 1L << 20));
    }
}
