package dev.outrider.onednn;

import dev.outrider.nn.integers.IntegerProducts.IntegerMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.SoftReference;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
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

    /// Outputs are read in order: the memory of the last part is kept until another part is read.
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

    /// Products of so many rows and a part of a matrix. Thread-safe: each call has its own arguments, which later calls use again.
    static final class Multiplication {
        private static final int ARGUMENTS = 4;
        private static final long ALIGNMENT = 64;

        private final OneDnn library;
        private final MemorySegment source;
        private final MemorySegment destination;
        private final MemorySegment description;
        private final MemorySegment primitive;
        private final ArrayDeque<Turn> idle = new ArrayDeque<>();

        /// Compiles it.
        ///
        /// @param weights layout of the part, or any
        /// @param stride  numbers from the start of a row of sums to the start of the next
        Multiplication(
                OneDnn library,
                int rows,
                int columns,
                int outputs,
                int stride,
                MemorySegment weights) {
            this.library = library;
            library.alone();
            source = library.describe(rows, columns, OneDnn.S8, OneDnn.ROWS);
            destination = library.describeStrided(rows, outputs, OneDnn.S32, stride);
            description = library.matmul(source, weights, destination);
            primitive = library.primitive(description);
        }

        /// Layout of the part.
        MemorySegment weights() {
            return library.layout(description, OneDnn.WEIGHTS_LAYOUT);
        }

        String implementation() {
            return library.implementation(description);
        }

        /// Multiplies.
        ///
        /// @param weights an argument in the layout [#weights]
        void run(MemorySegment x, MemorySegment weights, MemorySegment sums) {
            library.alone();
            var turn = take();
            turn.run(x, weights, sums);
            giveBack(turn);
        }

        private Turn take() {
            synchronized (idle) {
                if (!idle.isEmpty()) {
                    return idle.pop();
                }
            }
            return new Turn();
        }

        private void giveBack(Turn turn) {
            synchronized (idle) {
                idle.push(turn);
            }
        }

        private final class Turn {
            private final Arena arena = Arena.ofAuto();
            private final MemorySegment stream = library.stream();
            private final MemorySegment from = library.memory(source);
            private final MemorySegment to = library.memory(destination);
            private final MemorySegment arguments = OneDnn.arguments(arena, ARGUMENTS);

            Turn() {
                var layout = library.layout(description, OneDnn.SCRATCHPAD_LAYOUT);
                var scratchpad = library.memory(layout);
                library.place(
                        scratchpad, arena.allocate(Math.max(1, library.size(layout)), ALIGNMENT));
                OneDnn.argument(arguments, 0, OneDnn.SOURCE, from);
                OneDnn.argument(arguments, 1, OneDnn.DESTINATION, to);
                OneDnn.argument(arguments, 2, OneDnn.SCRATCHPAD, scratchpad);
            }

            void run(MemorySegment x, MemorySegment weights, MemorySegment sums) {
                library.place(from, x);
                library.place(to, sums);
                OneDnn.argument(arguments, 3, OneDnn.WEIGHTS, weights);
                library.execute(primitive, stream, arguments);
            }
        }
    }

    /// The compiled multiplications, which all matrices of a shape share, and changes of layout. Thread-safe.
    static final class Multiplications {
        /// The number of rows that layouts are chosen for.
        private static final int USUAL_ROWS = 16;

        private static final int ARGUMENTS = 3;
        private static final long ALIGNMENT = 64;

        private final OneDnn library;
        private final Map<Part, MemorySegment> layouts = new ConcurrentHashMap<>();
        private final Map<Shape, Multiplication> compiled = new ConcurrentHashMap<>();

        /// Shape of a part.
        private record Part(int columns, int outputs) {}

        private record Shape(int rows, Part part, int stride) {}

        Multiplications(OneDnn library) {
            this.library = library;
        }

        OneDnn library() {
            return library;
        }

        /// The layout of parts of a shape.
        MemorySegment layout(int columns, int outputs) {
            return layouts.computeIfAbsent(
                    new Part(columns, outputs),
                    _ -> {
                        var any = library.describe(columns, outputs, OneDnn.S8, OneDnn.ANY);
                        return new Multiplication(
                                        library, USUAL_ROWS, columns, outputs, outputs, any)
                                .weights();
                    });
        }

        /// A multiplication.
        Multiplication of(int rows, int columns, int outputs, int stride) {
            var part = new Part(columns, outputs);
            return compiled.computeIfAbsent(
                    new Shape(rows, part, stride),
                    _ ->
                            new Multiplication(
                                    library,
                                    rows,
                                    columns,
                                    outputs,
                                    stride,
                                    layout(columns, outputs)));
        }

        /// Copies a part from a layout to another.
        void copy(
                MemorySegment from,
                MemorySegment fromLayout,
                MemorySegment to,
                MemorySegment toLayout) {
            library.alone();
            var description = library.reorder(fromLayout, toLayout);
            var source = library.memory(fromLayout);
            var destination = library.memory(toLayout);
            var layout = library.layout(description, OneDnn.SCRATCHPAD_LAYOUT);
            var scratchpad = library.memory(layout);
            try (var arena = Arena.ofConfined()) {
                library.place(source, from);
                library.place(destination, to);
                library.place(
                        scratchpad, arena.allocate(Math.max(1, library.size(layout)), ALIGNMENT));
                var arguments = OneDnn.arguments(arena, ARGUMENTS);
                OneDnn.argument(arguments, 0, OneDnn.SOURCE, source);
                OneDnn.argument(arguments, 1, OneDnn.DESTINATION, destination);
                OneDnn.argument(arguments, 2, OneDnn.SCRATCHPAD, scratchpad);
                library.execute(library.primitive(description), library.stream(), arguments);
            } finally {
                library.release(source);
                library.release(destination);
                library.release(scratchpad);
            }
        }
    }
}
