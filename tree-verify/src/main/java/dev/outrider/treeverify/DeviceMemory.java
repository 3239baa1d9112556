package dev.outrider.treeverify;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.DeviceBackend.DeviceInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What a model needs of a device's memory, added up before anything is allocated: drivers answer an allocation that
/// does not fit late, and in ways of their own. Confined to one thread.
public final class DeviceMemory {
    private static final double GIBIBYTE = 1 << 30;

    /// Of an array's elements, as kernels index them with 32-bit integers.
    private static final long MAX_ELEMENTS = Integer.MAX_VALUE;

    private final List<Part> parts = new ArrayList<>();

    private record Part(String name, long bytes) {}

    /// Nothing yet.
    public DeviceMemory() {}

    /// Adds an array.
    ///
    /// @param name         what it holds, such as `weights of layer 3`
    /// @param elements     its length
    /// @param elementBytes bytes of one element
    /// @throws OutriderException `OUT_OF_MEMORY` if kernels could not index it
    public DeviceMemory add(String name, long elements, int elementBytes) {
        if (elements > MAX_ELEMENTS) {
            throw tooLarge(
                    "%s would be one array of %d elements, and a kernel can index %d"
                            .formatted(name, elements, MAX_ELEMENTS));
        }
        parts.add(new Part(name, elements * elementBytes));
        return this;
    }

    /// The sum.
    public long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }

    /// Checks the sum and every part against a device.
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
