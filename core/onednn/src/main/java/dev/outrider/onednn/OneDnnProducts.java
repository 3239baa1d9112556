package dev.outrider.onednn;

import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.nn.integers.IntegerProducts.IntegerMatrix;
import dev.outrider.onednn.OneDnnMatrix.Multiplications;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Products of integers by oneDNN.
///
/// @param name           version and instructions
/// @param multiplications the compiled multiplications
record OneDnnProducts(String name, Multiplications multiplications) implements IntegerProducts {
    private static final int CHECKED_OUTPUTS = 64;
    private static final int CHECKED_COLUMNS = 1056;
    private static final int CHECKED_ROWS = 3;
    private static final byte MAX = 127;

    /// Loads the library and checks its sums.
    ///
    /// @throws IOException           if there is none for this machine
    /// @throws IllegalStateException if they are not exact
    static OneDnnProducts load() throws IOException {
        var library = new OneDnn();
        var multiplications = new Multiplications(library);
        requireExact(multiplications);
        var checked =
                multiplications.of(CHECKED_ROWS, CHECKED_COLUMNS, CHECKED_OUTPUTS, CHECKED_OUTPUTS);
        return new OneDnnProducts(
                "oneDNN %s, %s".formatted(library.version(), checked.implementation()),
                multiplications);
    }

    @Override
    public IntegerMatrix matrix(int outputs, int columns, Arena arena) {
        return new OneDnnMatrix(multiplications, outputs, columns, arena);
    }

    /// Multiplies the largest values: without integer instructions the library may saturate or halve sums.
    private static void requireExact(Multiplications multiplications) {
        try (var arena = Arena.ofConfined()) {
            var matrix = new OneDnnMatrix(multiplications, CHECKED_OUTPUTS, CHECKED_COLUMNS, arena);
            for (int output = 0; output < CHECKED_OUTPUTS; output++) {
                var levels = new byte[CHECKED_COLUMNS];
                Arrays.fill(levels, output % 2 == 0 ? MAX : (byte) -MAX);
                matrix.add(levels);
            }
            long size = (long) CHECKED_ROWS * CHECKED_COLUMNS;
            var x = arena.allocate(size, CHECKED_OUTPUTS);
            for (long at = 0; at < size; at++) {
                byte level = (byte) (at < CHECKED_COLUMNS ? -MAX : MAX);
                x.set(ValueLayout.JAVA_BYTE, at, level);
            }
            var sums =
                    arena.allocate(
                            (long) CHECKED_ROWS * CHECKED_OUTPUTS * Integer.BYTES, CHECKED_OUTPUTS);
            matrix.multiply(x, CHECKED_ROWS, sums, CHECKED_OUTPUTS, 0, matrix.parts());
            requireExact(sums);
        }
    }

    private static void requireExact(MemorySegment sums) {
        int most = CHECKED_COLUMNS * MAX * MAX;
        for (int at = 0; at < CHECKED_ROWS * CHECKED_OUTPUTS; at++) {
            int expected = (at < CHECKED_OUTPUTS) == (at % 2 == 0) ? -most : most;
            int sum = sums.getAtIndex(ValueLayout.JAVA_INT, at);
            if (sum != expected) {
                throw new IllegalStateException(
                        "oneDNN's sums are not exact here: %d instead of %d"
                                .formatted(sum, expected));
            }
        }
    }
}
