package dev.outrider.onednn;

import dev.outrider.nn.integers.IntegerMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// A matrix in the library's own layout, a piece of memory for each part.
final class OneDnnMatrix implements IntegerMatrix {
    /// The most rows of one multiplication.
    private static final int MAX_ROWS = 64;

    private static final int MULTIPLE = 64;
    private static final long ALIGNMENT = 64;

    private final Multiplications multiplications;
    private final OneDnn library;
    private final Arena arena;
    private final int outputs;
    private final int columns;
    private final int width;
    private final MemorySegment[] weights;
    private final MemorySegment[] places;
    private final AtomicReferenceArray<Multiplication> compiled;
    private MemorySegment staged = MemorySegment.NULL;
    private Arena staging = Arena.global();
    private SoftReference<@Nullable MemorySegment> unpacked = new SoftReference<>(null);
    private int unpackedPart = -1;
    private int filled;

    OneDnnMatrix(Multiplications multiplications, int outputs, int columns, Arena arena) {
        this.multiplications = multiplications;
        library = multiplications.library();
        this.outputs = outputs;
        this.columns = columns;
        this.arena = arena;
        int wanted = Math.ceilDiv(outputs, Runtime.getRuntime().availableProcessors());
        width = Math.ceilDiv(wanted, MULTIPLE) * MULTIPLE;
        weights = new MemorySegment[parts()];
        places = new MemorySegment[parts()];
        compiled = new AtomicReferenceArray<>(2 * (MAX_ROWS + 1));
    }

    @Override
    public int parts() {
        return Math.ceilDiv(outputs, width);
    }

    @Override
    public int firstOutput(int part) {
        return Math.min(outputs, part * width);
    }

    private int outputs(int part) {
        return firstOutput(part + 1) - firstOutput(part);
    }

    @Override
    public void add(byte[] levels) {
        int part = filled / width;
        if (filled == firstOutput(part)) {
            staging = Arena.ofShared();
            staged = staging.allocate((long) outputs(part) * columns, ALIGNMENT);
        }
        long at = (long) (filled - firstOutput(part)) * columns;
        MemorySegment.copy(levels, 0, staged, ValueLayout.JAVA_BYTE, at, columns);
        filled++;
        if (filled == firstOutput(part + 1)) {
            pack(part);
            staging.close();
        }
    }

    private void pack(int part) {
        var layout = multiplications.layout(columns, outputs(part));
        places[part] = arena.allocate(library.size(layout), ALIGNMENT);
        var packed = library.memory(layout);
        library.place(packed, places[part]);
        weights[part] = packed;
        MemorySegment.NULL.reinterpret(arena, _ -> library.release(packed));
        multiplications.copy(staged, plain(part), places[part], layout);
    }

    private MemorySegment plain(int part) {
        return library.describe(columns, outputs(part), OneDnn.S8, OneDnn.COLUMNS);
    }

    /// Outputs come one after another: the part of the last one is at hand, until other memory is wanted.
    @Override
    public synchronized void read(int output, byte[] levels) {
        int part = output / width;
        var plain = unpackedPart == part ? unpacked.get() : null;
        if (plain == null) {
            plain = Arena.ofAuto().allocate((long) outputs(part) * columns, ALIGNMENT);
            var layout = multiplications.layout(columns, outputs(part));
            multiplications.copy(places[part], layout, plain, plain(part));
            unpacked = new SoftReference<>(plain);
            unpackedPart = part;
        }
        long at = (long) (output - firstOutput(part)) * columns;
        MemorySegment.copy(plain, ValueLayout.JAVA_BYTE, at, levels, 0, columns);
    }

    @Override
    public void multiply(
            MemorySegment x, int rows, MemorySegment sums, int stride, int first, int end) {
        for (int part = first; part < end; part++) {
            for (int row = 0; row < rows; row += MAX_ROWS) {
                int count = Math.min(MAX_ROWS, rows - row);
                long place = (long) row * stride + firstOutput(part);
                multiplication(part, count, stride)
                        .run(
                                x.asSlice((long) row * columns),
                                weights[part],
                                sums.asSlice(place * Integer.BYTES));
            }
        }
    }

    private Multiplication multiplication(int part, int rows, int stride) {
        int index = (part == parts() - 1 ? MAX_ROWS + 1 : 0) + rows;
        var known = compiled.get(index);
        if (known == null) {
            known = multiplications.of(rows, columns, outputs(part), stride);
            compiled.set(index, known);
        }
        return known;
    }
}
