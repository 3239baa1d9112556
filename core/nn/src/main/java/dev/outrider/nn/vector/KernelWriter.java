package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.outrider.nn.jit.Assembler;
import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.Assembler.Shift;
import dev.outrider.nn.jit.NativeCode;
import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.KernelRows.Order;
import java.lang.invoke.MethodHandle;
import java.util.function.IntUnaryOperator;

/// Writes the machine code of an [IntegerKernel]: the loops over blocks, and the operations on floats.
abstract class KernelWriter {
    /// Columns of a product.
    static final int FOUR = BlockFormat.IN_LANE;

    /// The register of products that are in memory.
    static final int PRODUCT = 12;

    static final Register[] CODES = {Register.FIRST, Register.SECOND};
    static final Register LEVELS = Register.THIRD;
    static final Register SCALES = Register.FOURTH;
    static final Register PRODUCTS = Register.FIFTH;
    static final Register BLOCKS = Register.SIXTH;

    /// Bytes of a line of the cache.
    static final int LINE = 64;

    /// How many bytes before they are needed codes are asked for. They go to the second-level cache: asking the first-level
    /// cache for them takes its few buffers for lines that are on their way, and one row took 1.3 times as long.
    static final int AHEAD = 6 << 10;

    final BlockFormat format;
    final int rows;
    final int first;
    final int parts;
    final int step;
    final Order order;
    final Assembler code = new Assembler(BYTES);
    private int lowerBits;

    /// Registers that are free while floats are computed.
    final int temporary;

    /// @param first     the first half of a panel, of the four of both panels
    /// @param parts     number of halves
    /// @param temporary the first of four adjacent registers
    KernelWriter(BlockFormat format, int rows, int first, int parts, int temporary) {
        this.format = format;
        this.rows = rows;
        this.first = first;
        this.parts = parts;
        this.temporary = temporary;
        step = Math.min(KernelRows.BLOCK, format.group());
        order = IntegerKernel.order(format);
    }

    /// Stores constants before the code.
    abstract void keepConstants();

    /// Appends what precedes the loops, and what follows them.
    abstract void open();

    abstract void close();

    /// Sums the products of integers of the next columns with the same scales.
    abstract void sum(int column);

    /// Computes a sum of products of codes, or for a kind with a fixed zero, of codes without it.
    ///
    /// @param count register with the sum of the row's levels, a float
    /// @return the register with the sum, a float
    abstract int sum(int row, int part, int column, int count);

    /// Returns the register with a row's products; they are in memory unless registers suffice for them.
    int product(int row, int part) {
        code.load(PRODUCT, PRODUCTS, place(row, part));
        return PRODUCT;
    }

    /// Takes products that were changed.
    void keepProduct(int row, int part) {
        code.store(PRODUCTS, place(row, part), PRODUCT);
    }

    MethodHandle function() {
        lowerBits = code.keep(repeated(at -> at % Integer.BYTES < Short.BYTES ? -1 : 0));
        keepConstants();
        int entry = code.begin();
        open();
        blocks();
        close();
        code.finish();
        return NativeCode.function(
                        code.bytes(), entry, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG)
                .orElseThrow(KernelWriter::noMemory);
    }

    static IllegalStateException noMemory() {
        return new IllegalStateException(
                "the system gives no more memory for code; outrider.kernels=java does without");
    }

    /// Returns the place of a row's products.
    int place(int row, int part) {
        return (row * 4 + first + part) * BYTES;
    }

    private void blocks() {
        int scales = KernelRows.BLOCK * format.scaleRows() * PANEL * Float.BYTES;
        boolean shared = format.group() > KernelRows.BLOCK;
        int block = code.here();
        for (int panel = first / 2; panel <= (first + parts - 1) / 2; panel++) {
            prefetch(CODES[panel], 0, (int) format.headerBytes());
            scales(panel);
            code.add(CODES[panel], (int) format.headerBytes());
        }
        code.set(Register.FREE, format.columns() / KernelRows.BLOCK);
        int next = code.here();
        for (int column = 0; column < KernelRows.BLOCK; column += step) {
            sum(column);
            for (int row = 0; row < rows && !format.plain(); row++) {
                scale(row, column);
            }
        }
        for (int panel = first / 2; panel <= (first + parts - 1) / 2; panel++) {
            code.add(CODES[panel], KernelRows.BLOCK * PANEL * format.bits() / Byte.SIZE);
        }
        code.add(LEVELS, order.words() * rows * Integer.BYTES);
        if (!shared) {
            code.add(SCALES, scales / format.group());
        }
        code.add(Register.FREE, -1);
        code.repeat(next);
        if (!shared) {
            code.add(SCALES, -scales / format.group() * (format.columns() / KernelRows.BLOCK));
        }
        code.add(BLOCKS, -1);
        code.repeat(block);
    }

    /// Computes the scales and offsets of a panel's block as [FormatScales] does.
    private void scales(int panel) {
        int loaded = temporary;
        int numbers = temporary + 1;
        int counts = temporary + 2;
        for (int row = 0; row < format.scaleRows(); row++) {
            if (format.halves()) {
                code.load(loaded, CODES[panel], row * BYTES);
            }
            for (int part = Math.max(first, 2 * panel);
                    part < Math.min(first + parts, 2 * panel + 2);
                    part++) {
                int half = part % 2;
                if (!format.halves()) {
                    single(numbers, CODES[panel], row, half);
                    code.store(SCALES, scales(2 * row, part - first), numbers);
                    continue;
                }
                widen(numbers, loaded, half);
                for (int group = 0; group < format.inBlock(); group++) {
                    int scaled = numbers;
                    if (!format.single()) {
                        scaled = counts;
                        int at = (int) format.counts(0, group, row) + half * WIDTH;
                        code.loadBytesAsIntegers(counts, CODES[panel], at, true);
                        code.apply(Operation.TO_FLOATS, counts, 0, counts);
                        code.apply(Operation.MULTIPLY, counts, numbers, counts);
                    }
                    int vector = 2 * (group * format.scaleRows() + row);
                    code.store(SCALES, scales(vector, part - first), scaled);
                }
            }
        }
    }

    /// Converts 16-bit floats of a panel's half.
    ///
    /// @param from has those of both halves
    private void widen(int to, int from, int half) {
        if (half == 1) {
            code.shift(Shift.RIGHT, to, from, Short.SIZE);
        }
        if (BYTES == Assembler.AVX_512) {
            code.narrow(to, half == 1 ? to : from);
        } else {
            if (half == 0) {
                code.applyConstant(Operation.AND, to, from, lowerBits);
            }
            code.apply(Operation.PACK, to, to, to);
            code.apply(Operation.JOIN, to, 0, to);
        }
        code.apply(Operation.WIDEN, to, 0, to);
    }

    /// Loads 32-bit scales, or zero points, which are bytes.
    private void single(int to, Register codes, int row, int half) {
        if (row == 0) {
            code.load(to, codes, half * BYTES);
            return;
        }
        int at = (int) BlockFormat.SINGLES + half * WIDTH;
        code.loadBytesAsIntegers(to, codes, at, false);
        code.apply(Operation.TO_FLOATS, to, 0, to);
    }

    /// Scales the sums of integers of a row, and adds them to its products.
    private void scale(int row, int column) {
        int count = temporary;
        int rowScale = temporary + 1;
        int scaledCount = temporary + 2;
        int scales = column / step * format.scaleRows() * 2;
        var kind = format.kind();
        code.broadcast(count, LEVELS, word(order.sum(column, step), row));
        code.broadcast(rowScale, LEVELS, word(order.scale(), row));
        if (kind == Kind.OFFSET) {
            code.apply(Operation.MULTIPLY, scaledCount, count, rowScale);
        }
        for (int part = 0; part < parts; part++) {
            int sum = sum(row, part, column, count);
            int at = scales(scales, part);
            int second = scales(scales + 2, part);
            if (kind == Kind.POINT) {
                code.applyVector(Operation.SUBTRACT_PRODUCT, sum, count, SCALES, second);
            }
            code.apply(Operation.MULTIPLY, sum, sum, rowScale);
            int product = product(row, part);
            code.applyVector(Operation.ADD_PRODUCT, product, sum, SCALES, at);
            if (kind == Kind.OFFSET) {
                code.applyVector(
                        format.single() ? Operation.ADD_PRODUCT : Operation.SUBTRACT_PRODUCT,
                        product,
                        scaledCount,
                        SCALES,
                        second);
            }
            keepProduct(row, part);
        }
    }

    /// Asks for memory that later columns need.
    final void prefetch(Register codes, int from, int end) {
        for (int at = Lanes.roundedUp(from, LINE); at < end && first % 2 == 0; at += LINE) {
            code.prefetch(codes, AHEAD + at);
        }
    }

    /// Returns the place of a word of a row.
    final int word(int index, int row) {
        return (index * rows + row) * Integer.BYTES;
    }

    static byte[] repeated(IntUnaryOperator byteAt) {
        var bytes = new byte[BYTES];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) byteAt.applyAsInt(at);
        }
        return bytes;
    }

    /// Returns the bits of a float in every lane.
    static byte[] repeated(float number) {
        int bits = Float.floatToRawIntBits(number);
        return repeated(at -> bits >> Byte.SIZE * (at % Float.BYTES));
    }

    /// Returns the place of the scales of a half, from the first panel's scales.
    private int scales(int vector, int part) {
        int half = first + part;
        return half / 2 * IntegerKernel.SCALES * Float.BYTES + (vector + half % 2) * BYTES;
    }
}
