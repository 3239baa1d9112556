package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outrider.nn.jit.Assembler;
import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.Assembler.Shift;
import dev.outrider.nn.jit.NativeCode;
import dev.outrider.nn.vector.BlockFormat.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Machine code for the products of [FormatTiles] with floats of 32 and 16 bits. The operations on every number are the same, in
/// the same order, so the bits are the same.
final class FloatTiles implements Tiles {
    private static final Register[] PANELS = {
        Register.FIRST, Register.FREE, Register.SPARE, Register.OTHER
    };
    private static final Register X = Register.SECOND;
    private static final Register Y = Register.THIRD;
    private static final Register SIZE = Register.FOURTH;
    private static final Register STRIDE = Register.FIFTH;
    private static final Register COLUMNS = Register.SIXTH;

    private static final boolean WIDE = BYTES == Assembler.AVX_512;

    /// Registers of sums.
    private static final int SUMS = 2 * Lanes.EXACT_TILE;

    private static final boolean RUNS =
            VectorMachine.kernelsWanted()
                    && (WIDE || BYTES == Assembler.AVX2)
                    && NativeCode.runs(WIDE ? List.of("avx512f") : List.of("avx2", "fma", "f16c"));

    private final BlockFormat format;
    private final int rows;
    private final @Nullable MethodHandle[] functions = new MethodHandle[2 * PANELS.length + 2];

    /// @param rows rows of a tile, at most [Lanes#EXACT_TILE]
    FloatTiles(BlockFormat format, int rows) {
        this.format = format;
        this.rows = rows;
    }

    /// Returns whether kernels for a format run here.
    static boolean runs(BlockFormat format) {
        return RUNS && (format.kind() == Kind.F32 || format.bits() == Short.SIZE);
    }

    @Override
    public void multiply(
            MemorySegment memory,
            long from,
            long size,
            int panels,
            float[] scales,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        for (int panel = 0; panel < panels; ) {
            int most = Math.min(panels - panel, Math.min(PANELS.length, SUMS / 2 / rows));
            int count = Integer.highestOneBit(most);
            var weights = memory.asSlice(from + panel * size, (count - 1) * size + bytes(columns));
            int to = yAt + panel * PANEL;
            multiply(count, false, weights, size, x, xAt, y, to, stride, columns);
            panel += count;
        }
    }

    /// Multiplies by a strip of one panel.
    ///
    /// @param adds whether `y` already has the sums over earlier columns
    void multiplyStrip(
            MemorySegment strip,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns,
            boolean adds) {
        var weights = strip.asSlice(0, bytes(columns));
        multiply(1, adds, weights, 0, x, xAt, y, yAt, stride, columns);
    }

    private void multiply(
            int panels,
            boolean adds,
            MemorySegment weights,
            long size,
            float[] x,
            int xAt,
            float[] y,
            int yAt,
            int stride,
            int columns) {
        Objects.checkIndex(0, columns); // the loop ends after at least one column
        var numbers = floats(x, xAt, (long) columns * rows);
        var sums = floats(y, yAt, (rows - 1L) * stride + panels * PANEL);
        long distance = (long) stride * Float.BYTES;
        try {
            function(panels, adds)
                    .invokeExact(weights, numbers, sums, size, distance, (long) columns);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MemorySegment floats(float[] numbers, int from, long count) {
        return MemorySegment.ofArray(numbers)
                .asSlice((long) from * Float.BYTES, count * Float.BYTES);
    }

    private long bytes(int columns) {
        return (long) columns * step();
    }

    /// Returns the bytes of a column.
    private int step() {
        return PANEL * format.bits() / Byte.SIZE;
    }

    private MethodHandle function(int panels, boolean adds) {
        int index = 2 * panels + (adds ? 1 : 0);
        var function = functions[index];
        if (function == null) { // Threads may make it twice.
            function = new Writer(panels).function(adds);
            functions[index] = function;
        }
        return function;
    }

    /// Writes the function for a number of panels: first panel, rows, sums, bytes of a panel, bytes of a row of sums, columns.
    private final class Writer {
        private final Assembler code = new Assembler(BYTES);
        private final int panels;
        private final int loaded;
        private final int weight;
        private final int number;
        private final int mask;

        Writer(int panels) {
            this.panels = panels;
            loaded = 2 * rows * panels;
            number = loaded;
            weight = loaded + 1;
            mask = loaded + 3;
        }

        MethodHandle function(boolean adds) {
            int kept = code.keep(KernelWriter.repeated(at -> at % 4 < 2 ? 0 : -1));
            int entry = code.begin();
            code.constant(mask, kept);
            code.copy(Register.SPARE, Y);
            sums(
                    sum -> {
                        if (adds) {
                            code.load(sum, Register.SPARE, sum % (2 * panels) * BYTES);
                        } else {
                            code.apply(Operation.XOR, sum, sum, sum);
                        }
                    },
                    Register.SPARE);
            for (int panel = 1; panel < panels; panel++) {
                code.copy(PANELS[panel], PANELS[panel - 1]);
                code.add(PANELS[panel], SIZE);
            }
            int column = code.here();
            for (int panel = 0; panel < panels; panel++) {
                column(panel);
            }
            code.add(X, rows * Float.BYTES);
            code.add(COLUMNS, -1);
            code.repeat(column);
            sums(sum -> code.store(Y, sum % (2 * panels) * BYTES, sum), Y);
            code.finish();
            return NativeCode.function(
                            code.bytes(),
                            entry,
                            ADDRESS,
                            ADDRESS,
                            ADDRESS,
                            JAVA_LONG,
                            JAVA_LONG,
                            JAVA_LONG)
                    .orElseThrow(KernelWriter::noMemory);
        }

        /// Appends code for every register of sums, row after row.
        private void sums(IntConsumer each, Register row) {
            for (int sum = 0; sum < loaded; sum++) {
                each.accept(sum);
                if ((sum + 1) % (2 * panels) == 0) {
                    code.add(row, STRIDE);
                }
            }
        }

        /// Adds the products of a column of a panel.
        private void column(int panel) {
            // The processor itself reads four streams in advance.
            if (panels < PANELS.length) {
                for (int line = 0; line < step(); line += KernelWriter.LINE) {
                    code.prefetch(PANELS[panel], KernelWriter.AHEAD + line);
                }
            }
            if (format.pairs()) {
                code.load(loaded, PANELS[panel], 0);
            }
            weight(panel, 0, weight);
            weight(panel, 1, weight + 1);
            for (int row = 0; row < rows; row++) {
                code.broadcast(number, X, row * Float.BYTES);
                int sum = 2 * (row * panels + panel);
                code.apply(Operation.ADD_PRODUCT, sum, number, weight);
                code.apply(Operation.ADD_PRODUCT, sum + 1, number, weight + 1);
            }
            code.add(PANELS[panel], step());
        }

        /// Loads a half of a column.
        private void weight(int panel, int half, int weight) {
            switch (format.kind()) {
                case F16 -> {
                    int place = half * BYTES / 2;
                    code.applyVector(Operation.WIDEN, weight, 0, PANELS[panel], place);
                }
                case BF16 -> {
                    if (half == 0) {
                        code.shift(Shift.LEFT, weight, loaded, Short.SIZE);
                    } else {
                        code.apply(Operation.AND, weight, loaded, mask);
                    }
                }
                default -> code.load(weight, PANELS[panel], half * BYTES);
            }
        }
    }
}
