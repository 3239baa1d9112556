package dev.outrider.onednn;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Multiplications that were compiled, which all matrices of a shape share, and changes of layout. Thread-safe.
final class Multiplications {
    /// Rows for which layouts are chosen.
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
                    return new Multiplication(library, USUAL_ROWS, columns, outputs, outputs, any)
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
                                library, rows, columns, outputs, stride, layout(columns, outputs)));
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
            library.place(scratchpad, arena.allocate(Math.max(1, library.size(layout)), ALIGNMENT));
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
