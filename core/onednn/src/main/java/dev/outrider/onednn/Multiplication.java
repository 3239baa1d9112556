package dev.outrider.onednn;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// Products of so many rows and a part of a matrix. Thread-safe: each call has arguments of its own, which the next one uses again.
final class Multiplication {
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
    /// @param stride  from a row of sums to the next
    Multiplication(
            OneDnn library, int rows, int columns, int outputs, int stride, MemorySegment weights) {
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
            library.place(scratchpad, arena.allocate(Math.max(1, library.size(layout)), ALIGNMENT));
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
