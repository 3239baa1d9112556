package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.jit.Assembler;
import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.NativeCode;
import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// Machine code for the products of [IntegerTiles]: one instruction adds four products of a byte and a level (AVX-512 VNNI). The
/// sums of integers are exact, and floats are computed in the same order as there, so the bits are the same.
///
/// Codes of fewer than eight bits are in the order of [IntegerTiles]. 64 bits have the codes of four columns of four outputs, two
/// of each half of the panel, which alternate. So one selection of fields (AVX-512 VBMI) gives a byte for each code of a half.
///
/// @param functions of two panels, of one each, or of a half each: as many sums as registers hold. Two panels at once are two
///                  streams of memory, which are read faster than one
record IntegerKernel(List<MethodHandle> functions) {
    /// Columns of a product.
    private static final int FOUR = BlockFormat.IN_LANE;

    /// Sums that fit the registers.
    private static final int SUMS = 8;

    /// Numbers from the scales of the first panel to those of the second.
    private static final int SCALES = 16 * 2 * PANEL;

    /// What is added to signed codes.
    static final int CENTRE = 1 << Byte.SIZE - 1;

    private static final boolean OF_BYTES =
            VectorMachine.kernelsWanted()
                    && Lanes.BYTES == Assembler.VECTOR
                    && NativeCode.runs(List.of("avx512f", "avx512bw", "avx512_vnni"));
    private static final boolean OF_FIELDS = OF_BYTES && NativeCode.runs(List.of("avx512vbmi"));

    /// Returns whether kernels for a format run here.
    static boolean runs(BlockFormat format) {
        return format.bits() == Byte.SIZE ? OF_BYTES : OF_FIELDS;
    }

    /// Multiplies rows by two panels, which have the same format.
    ///
    /// @param first  index of the first panel
    /// @param second index of the second panel, which may be the first one
    /// @param sums   memory of the thread
    /// @return the products `[rows, 2, PANEL]`, 32-bit floats, in memory of the thread; for levels without scales the sums of
    ///         codes plus [#CENTRE] times levels, 32-bit integers
    static MemorySegment products(Panels panels, int first, int second, KernelRows x, Sums sums) {
        var kept = panels.format(first);
        var format = kept.integers();
        int columns = Lanes.roundedUp(panels.columns(), format.columns());
        if (!panels.memory().scope().isAlive()) { // as Java's vector code; addresses are unchecked
            throw new IllegalStateException("the matrix is closed");
        }
        if (columns > x.columns()) {
            throw new IllegalArgumentException(
                    "%d columns of %d".formatted(columns, x.columns()));
        }
        int count = x.rows() * 2 * PANEL;
        var memory = sums.memory(count + 2 * SCALES);
        long bytes = (long) count * Float.BYTES;
        memory.asSlice(0, bytes).fill((byte) 0);
        for (int column = 0; column < columns; column += IntegerTiles.CHUNK) {
            int width = Math.min(IntegerTiles.CHUNK, columns - column);
            long from = panels.from(first, column);
            long other = panels.from(second, column);
            for (int tile = 0; tile < x.tiles(); tile++) {
                long to = (long) x.firstRow(tile) * 2 * PANEL * Float.BYTES;
                kept.kernel(x.height(tile))
                        .multiply(
                                panels.memory().address() + from,
                                panels.memory().address() + other,
                                x.address(tile, column),
                                memory.address() + bytes,
                                memory.address() + to,
                                width / format.columns());
            }
        }
        return memory;
    }

    /// Returns the kernel for a format and a number of rows.
    static IntegerKernel of(BlockFormat format, int rows) {
        int together = Integer.highestOneBit(Math.min(SUMS / rows, 4));
        var functions = new ArrayList<MethodHandle>();
        for (int part = 0; part < 4; part += together) {
            functions.add(new Writer(format, rows, part, together).function());
        }
        return new IntegerKernel(functions);
    }

    /// Adds the products of two panels' columns. All places are addresses.
    ///
    /// @param first    columns of the first panel
    /// @param second   columns of the second panel
    /// @param levels   as in [KernelRows#address]
    /// @param scales   memory `[2, SCALES]` for the panels' scales
    /// @param products `[rows, 2, PANEL]`
    /// @param blocks   number of blocks
    void multiply(long first, long second, long levels, long scales, long products, long blocks) {
        try {
            for (var function : functions) {
                function.invokeExact(first, second, levels, scales, products, blocks);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes a kernel's machine code.
    private static final class Writer {
        private static final Register[] CODES = {Register.FIRST, Register.SECOND};
        private static final Register LEVELS = Register.THIRD;
        private static final Register SCALES = Register.FOURTH;
        private static final Register PRODUCTS = Register.FIFTH;
        private static final Register BLOCKS = Register.SIXTH;

        /// Registers: sums of integers, products (or all sums of integers, if there are no scales), then these.
        private static final int FLOATS = 8;

        private static final int UNSIGNED = 16;
        private static final int LOADED = 18;
        private static final int LEVEL = 19;
        private static final int MASK = 20;
        private static final int HIGH_MASK = 21;
        private static final int CENTRE = 22;
        private static final int COUNT = 23;
        private static final int FIELDS = 24;

        private final BlockFormat format;
        private final int rows;
        private final int first;
        private final int parts;
        private final int step;
        private final int ahead;
        private final Assembler code = new Assembler();

        /// @param first the first half of a panel, of the four of both panels
        /// @param parts number of halves
        Writer(BlockFormat format, int rows, int first, int parts) {
            this.format = format;
            this.rows = rows;
            this.first = first;
            this.parts = parts;
            step = Math.min(KernelRows.BLOCK, format.group());
            ahead = (int) (IntegerTiles.CHUNK / format.columns() * format.bytes());
        }

        private boolean bytes() {
            return format.bits() == Byte.SIZE;
        }

        MethodHandle function() {
            int mask =
                    code.keep(repeated(_ -> bytes() ? IntegerKernel.CENTRE : BlockFormat.NIBBLE));
            int highMask =
                    code.keep(repeated(_ -> (1 << format.high()) - 1 << BlockFormat.NIBBLE_BITS));
            int zero = bytes() ? IntegerKernel.CENTRE : format.zero();
            int bits = Float.floatToRawIntBits(zero);
            int centre = code.keep(repeated(at -> bits >> Byte.SIZE * (at % Float.BYTES)));
            int[] fields = fields();
            int entry = code.begin();
            code.constant(MASK, mask);
            code.constant(HIGH_MASK, highMask);
            code.constant(CENTRE, centre);
            for (int field = 0; field < fields.length; field++) {
                code.constant(FIELDS + field, fields[field]);
            }
            products((register, offset) -> code.load(register, PRODUCTS, offset));
            blocks();
            products((register, offset) -> code.store(PRODUCTS, offset, register));
            code.finish();
            return NativeCode.function(code.bytes(), entry).orElseThrow();
        }

        private interface Move {
            void apply(int register, int offset);
        }

        private void products(Move move) {
            for (int row = 0; row < rows; row++) {
                for (int part = 0; part < parts; part++) {
                    move.apply(FLOATS + row * parts + part, (row * 4 + first + part) * BYTES);
                }
            }
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
            code.add(LEVELS, KernelRows.WORDS * rows * Integer.BYTES);
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
            for (int row = 0; row < format.scaleRows(); row++) {
                if (format.halves()) {
                    code.load(LOADED, CODES[panel], row * BYTES);
                }
                for (int part = Math.max(first, 2 * panel);
                        part < Math.min(first + parts, 2 * panel + 2);
                        part++) {
                    int half = part % 2;
                    if (!format.halves()) {
                        single(CODES[panel], row, half);
                        code.store(SCALES, scales(2 * row, part - first), LEVEL);
                        continue;
                    }
                    int from = LOADED;
                    if (half == 1) {
                        code.upper(LEVEL, LOADED);
                        from = LEVEL;
                    }
                    code.narrow(LEVEL, from);
                    code.apply(Operation.WIDEN, LEVEL, 0, LEVEL);
                    for (int group = 0; group < format.inBlock(); group++) {
                        int scaled = LEVEL;
                        if (!format.single()) {
                            scaled = COUNT;
                            int at = (int) format.counts(0, group, row) + half * WIDTH;
                            code.loadBytesAsIntegers(COUNT, CODES[panel], at, true);
                            code.apply(Operation.TO_FLOATS, COUNT, 0, COUNT);
                            code.apply(Operation.MULTIPLY, COUNT, LEVEL, COUNT);
                        }
                        int vector = 2 * (group * format.scaleRows() + row);
                        code.store(SCALES, scales(vector, part - first), scaled);
                    }
                }
            }
        }

        /// Loads 32-bit scales, or zero points, which are bytes.
        private void single(Register codes, int row, int half) {
            if (row == 0) {
                code.load(LEVEL, codes, half * BYTES);
                return;
            }
            int at = (int) BlockFormat.SINGLES + half * WIDTH;
            code.loadBytesAsIntegers(LEVEL, codes, at, false);
            code.apply(Operation.TO_FLOATS, LEVEL, 0, LEVEL);
        }

        /// Returns the places of selections of fields: of the lower four bits and of the higher ones, for each half.
        private int[] fields() {
            int starts = format.high() == 0 ? 0 : format.high() == 1 ? 2 : 1;
            var fields = new int[2 * (1 + starts)];
            for (int field = 0; field < fields.length; field++) {
                int half = field % 2;
                int bits = field < 2 ? BlockFormat.NIBBLE_BITS : format.high();
                int start = field < 2 ? 0 : (field / 2 - 1) * FOUR - BlockFormat.NIBBLE_BITS;
                fields[field] =
                        code.keep(
                                repeated(at ->
                                        Short.SIZE * (at % Long.BYTES / FOUR * 2 + half)
                                                + start
                                                + at % FOUR * bits));
            }
            return fields;
        }

        private static byte[] repeated(IntUnaryOperator byteAt) {
            var bytes = new byte[Assembler.VECTOR];
            for (int at = 0; at < bytes.length; at++) {
                bytes[at] = (byte) byteAt.applyAsInt(at);
            }
            return bytes;
        }

        /// Sums the products of integers of the next columns with the same scales.
        private void sum(int column) {
            int sums = format.plain() ? FLOATS : 0;
            for (int sum = 0; sum < rows * parts && !format.plain(); sum++) {
                code.apply(Operation.XOR, sum, sum, sum);
            }
            for (int four = 0; four < step / FOUR; four++) {
                for (int part = 0; part < parts; part += halves()) {
                    codes(CODES[(first + part) / 2], column, four);
                    for (int row = 0; row < rows; row++) {
                        code.broadcast(LEVEL, LEVELS, word(column / FOUR + four, row));
                        for (int half = 0; half < halves(); half++) {
                            int sum = sums + row * parts + part + half;
                            code.apply(Operation.DOT, sum, UNSIGNED + half, LEVEL);
                        }
                    }
                }
            }
        }

        /// Returns the number of halves of a panel.
        private int halves() {
            return Math.min(2, parts);
        }

        /// Loads the codes of four columns as unsigned bytes.
        private void codes(Register codes, int column, int four) {
            if (bytes()) {
                bytes(codes, column, four);
            } else {
                fields(codes, column, four);
            }
            int from = (column + four * FOUR) * PANEL * format.bits() / Byte.SIZE;
            prefetch(codes, from, from + FOUR * PANEL * format.bits() / Byte.SIZE);
        }

        /// Asks for memory that the next chunk of columns needs.
        private void prefetch(Register codes, int from, int end) {
            int line = Assembler.VECTOR;
            for (int at = Lanes.roundedUp(from, line); at < end && first % 2 == 0; at += line) {
                code.prefetch(codes, ahead + at);
            }
        }

        private int word(int index, int row) {
            return (index * rows + row) * Integer.BYTES;
        }

        private void bytes(Register codes, int column, int four) {
            int at = ((column / FOUR + four) * 2 + first % 2) * BYTES;
            for (int half = 0; half < halves(); half++) {
                code.applyVector(Operation.XOR, UNSIGNED + half, MASK, codes, at + half * BYTES);
            }
        }

        /// Loads and joins the fields of the codes of four columns.
        private void fields(Register codes, int column, int four) {
            int start = column * PANEL * format.bits() / Byte.SIZE;
            code.load(LOADED, codes, start + four * BYTES);
            for (int half = 0; half < halves(); half++) {
                int to = UNSIGNED + half;
                code.apply(Operation.MULTISHIFT, to, FIELDS + first % 2 + half, LOADED);
                code.apply(Operation.AND, to, to, MASK);
            }
            if (format.high() > 0) {
                int bit = four * FOUR * format.high();
                int at = start + step * PANEL / 2 + bit / Byte.SIZE * PANEL;
                code.loadBytesAsShorts(LOADED, codes, at);
                int fields = FIELDS + 2 + bit % Byte.SIZE / FOUR * 2 + first % 2;
                for (int half = 0; half < halves(); half++) {
                    code.apply(Operation.MULTISHIFT, LEVEL, fields + half, LOADED);
                    code.apply(Operation.OR_AND, UNSIGNED + half, LEVEL, HIGH_MASK);
                }
            }
        }

        /// Scales the sums of integers of a row, and adds them to its products.
        private void scale(int row, int column) {
            boolean whole = step == KernelRows.BLOCK;
            int count = word(KernelRows.SUMS + (whole ? 2 : column / step), row);
            int rowScale = word(KernelRows.SCALE, row);
            int scales = column / step * format.scaleRows() * 2;
            var kind = format.kind();
            if (kind != Kind.OFFSET) {
                code.broadcast(COUNT, LEVELS, count);
            }
            for (int part = 0; part < parts; part++) {
                int sum = row * parts + part;
                int at = scales(scales, part);
                code.apply(Operation.TO_FLOATS, sum, 0, sum);
                if (kind == Kind.POINT) {
                    int zeros = at + PANEL * Float.BYTES;
                    code.applyVector(Operation.SUBTRACT_PRODUCT, sum, COUNT, SCALES, zeros);
                } else if (kind != Kind.OFFSET) {
                    code.apply(Operation.SUBTRACT_PRODUCT, sum, COUNT, CENTRE);
                }
                code.applyScalar(Operation.MULTIPLY, sum, sum, LEVELS, rowScale);
                code.applyVector(Operation.ADD_PRODUCT, FLOATS + sum, sum, SCALES, at);
            }
            if (kind == Kind.OFFSET) {
                code.broadcast(COUNT, LEVELS, count);
                code.applyScalar(Operation.MULTIPLY, COUNT, COUNT, LEVELS, rowScale);
                for (int part = 0; part < parts; part++) {
                    code.applyVector(
                            format.single() ? Operation.ADD_PRODUCT : Operation.SUBTRACT_PRODUCT,
                            FLOATS + row * parts + part,
                            COUNT,
                            SCALES,
                            scales(scales + 2, part));
                }
            }
        }

        /// Returns the place of the scales of a half, from the first panel's scales.
        private int scales(int vector, int part) {
            int half = first + part;
            return half / 2 * IntegerKernel.SCALES * Float.BYTES + (vector + half % 2) * BYTES;
        }
    }
}
