package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.jit.Assembler;
import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.NativeCode;
import dev.outrider.nn.vector.BlockFormat.Kind;
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
/// @param functions of both halves of a panel, or of one half each. Their arguments are addresses: the panel's columns, the levels
///                  of [RoundedRows#words], the scales `[groups, rows of scales, PANEL]` and the products `[rows, 2, PANEL]`,
///                  which are added to; and the number of blocks
record IntegerKernel(List<MethodHandle> functions) {
    /// Columns of a product.
    private static final int FOUR = BlockFormat.IN_LANE;

    /// The greatest number of rows for which both halves fit the registers.
    private static final int BOTH_ROWS = 4;

    /// Whether kernels run here.
    static final boolean AVAILABLE =
            Lanes.WIDTH * Float.BYTES == Assembler.VECTOR
                    && !"java".equals(System.getProperty("outrider.integers"))
                    && NativeCode.runs(
                            List.of("avx512f", "avx512bw", "avx512_vnni", "avx512vbmi"));

    /// Returns the kernel for a format and a number of rows.
    static IntegerKernel of(BlockFormat format, int rows) {
        int halves = rows <= BOTH_ROWS ? 2 : 1;
        var functions = new ArrayList<MethodHandle>();
        for (int half = 0; half < 2; half += halves) {
            functions.add(new Writer(format, rows, half, halves).function());
        }
        return new IntegerKernel(functions);
    }

    /// Adds the products of a panel's columns.
    void multiply(long codes, long levels, long scales, long products, long blocks) {
        try {
            for (var function : functions) {
                function.invokeExact(codes, levels, scales, products, blocks);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes a kernel's machine code.
    private static final class Writer {
        private static final Register CODES = Register.FIRST;
        private static final Register LEVELS = Register.SECOND;
        private static final Register SCALES = Register.THIRD;
        private static final Register PRODUCTS = Register.FOURTH;
        private static final Register BLOCKS = Register.FIFTH;

        /// Registers: sums of integers, sums of floats, then these.
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
        private final int halves;
        private final int step;
        private final int ahead;
        private final Assembler code = new Assembler();

        Writer(BlockFormat format, int rows, int first, int halves) {
            this.format = format;
            this.rows = rows;
            this.first = first;
            this.halves = halves;
            step = Math.min(RoundedRows.BLOCK, format.group());
            ahead = (int) (IntegerTiles.CHUNK / format.columns() * format.bytes());
        }

        private boolean bytes() {
            return format.bits() == Byte.SIZE;
        }

        MethodHandle function() {
            int mask = code.keep(repeated(_ -> bytes() ? 1 << Byte.SIZE - 1 : BlockFormat.NIBBLE));
            int highMask =
                    code.keep(
                            repeated(_ -> (1 << format.high()) - 1 << BlockFormat.NIBBLE_BITS));
            int zero = bytes() ? 1 << Byte.SIZE - 1 : format.zero();
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
                for (int half = 0; half < halves; half++) {
                    int at = row * 2 * PANEL * Float.BYTES + (first + half) * BYTES;
                    move.apply(FLOATS + row * halves + half, at);
                }
            }
        }

        private void blocks() {
            int scales = RoundedRows.BLOCK * format.scaleRows() * PANEL * Float.BYTES;
            boolean shared = format.group() > RoundedRows.BLOCK;
            int block = code.here();
            for (int at = 0; at < format.headerBytes() && first == 0; at += 64) {
                code.prefetch(CODES, ahead + at);
            }
            code.add(CODES, (int) format.headerBytes());
            code.set(Register.FREE, format.columns() / RoundedRows.BLOCK);
            int next = code.here();
            for (int column = 0; column < RoundedRows.BLOCK; column += step) {
                sum(column);
                for (int row = 0; row < rows; row++) {
                    scale(row, column);
                }
            }
            code.add(CODES, RoundedRows.BLOCK * PANEL * format.bits() / Byte.SIZE);
            code.add(LEVELS, RoundedRows.WORDS * rows * Integer.BYTES);
            if (!shared) {
                code.add(SCALES, scales / format.group());
            }
            code.add(Register.FREE, -1);
            code.repeat(next);
            if (shared) {
                code.add(SCALES, scales / RoundedRows.BLOCK);
            }
            code.add(BLOCKS, -1);
            code.repeat(block);
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
                                repeated(
                                        at ->
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
            for (int sum = 0; sum < rows * halves; sum++) {
                code.apply(Operation.XOR, sum, sum, sum);
            }
            for (int four = 0; four < step / FOUR; four++) {
                if (bytes()) {
                    bytes(column, four);
                } else {
                    fields(column, four);
                }
                for (int row = 0; row < rows; row++) {
                    if (row == 0 && first == 0) {
                        prefetch(column, four);
                    }
                    code.broadcast(LEVEL, LEVELS, word(column / FOUR + four, row));
                    for (int half = 0; half < halves; half++) {
                        code.apply(Operation.DOT, row * halves + half, UNSIGNED + half, LEVEL);
                    }
                }
            }
        }

        /// Asks for memory that the next chunk of columns needs.
        private void prefetch(int column, int four) {
            int from = (column + four * FOUR) * PANEL * format.bits() / Byte.SIZE;
            int end = from + FOUR * PANEL * format.bits() / Byte.SIZE;
            for (int at = Lanes.roundedUp(from, 64); at < end; at += 64) {
                code.prefetch(CODES, ahead + at);
            }
        }
        private int word(int index, int row) {
            return (index * rows + row) * Integer.BYTES;
        }

        /// Loads codes of four columns, and makes them unsigned.
        private void bytes(int column, int four) {
            int at = (column / FOUR + four) * 2 * BYTES + first * BYTES;
            for (int half = 0; half < halves; half++) {
                code.applyVector(Operation.XOR, UNSIGNED + half, MASK, CODES, at + half * BYTES);
            }
        }

        /// Loads and joins the fields of the codes of four columns.
        private void fields(int column, int four) {
            int start = column * PANEL * format.bits() / Byte.SIZE;
            code.load(LOADED, CODES, start + four * BYTES);
            for (int half = 0; half < halves; half++) {
                int to = UNSIGNED + half;
                code.apply(Operation.MULTISHIFT, to, FIELDS + first + half, LOADED);
                code.apply(Operation.AND, to, to, MASK);
            }
            if (format.high() > 0) {
                int bit = four * FOUR * format.high();
                int at = start + step * PANEL / 2 + bit / Byte.SIZE * PANEL;
                code.loadBytesAsShorts(LOADED, CODES, at);
                int fields = FIELDS + 2 + bit % Byte.SIZE / FOUR * 2 + first;
                for (int half = 0; half < halves; half++) {
                    code.apply(Operation.MULTISHIFT, LEVEL, fields + half, LOADED);
                    code.apply(Operation.OR_AND, UNSIGNED + half, LEVEL, HIGH_MASK);
                }
            }
        }

        /// Scales the sums of integers of a row, and adds them to its products.
        private void scale(int row, int column) {
            boolean whole = step == RoundedRows.BLOCK;
            int count = word(RoundedRows.SUMS + (whole ? 2 : column / step), row);
            int rowScale = word(RoundedRows.SUMS + 3, row);
            int scales =
                    column / step * format.scaleRows() * PANEL * Float.BYTES + first * BYTES;
            var kind = format.kind();
            if (kind != Kind.OFFSET) {
                code.broadcast(COUNT, LEVELS, count);
            }
            for (int half = 0; half < halves; half++) {
                int sum = row * halves + half;
                int at = scales + half * BYTES;
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
                for (int half = 0; half < halves; half++) {
                    int at = scales + half * BYTES + PANEL * Float.BYTES;
                    code.applyVector(
                            format.single() ? Operation.ADD_PRODUCT : Operation.SUBTRACT_PRODUCT,
                            FLOATS + row * halves + half,
                            COUNT,
                            SCALES,
                            at);
                }
            }
        }
    }
}
