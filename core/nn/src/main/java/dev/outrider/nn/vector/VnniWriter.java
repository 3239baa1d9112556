package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.vector.BlockFormat.Kind;

/// Writes kernels in which one instruction adds four products of a byte and a level (AVX-512 VNNI).
///
/// Codes of fewer than eight bits are in the order of [IntegerTiles]. 64 bits have the codes of four columns of four outputs, two
/// of each half of the panel, which alternate. So one selection of fields (AVX-512 VBMI) gives a byte for each code of a half.
final class VnniWriter extends KernelWriter {
    /// Registers: sums of integers, products (or all sums of integers, if there are no scales), then these.
    private static final int FLOATS = 8;

    private static final int UNSIGNED = 16;
    private static final int LOADED = 18;
    private static final int LEVEL = 19;
    private static final int MASK = 20;
    private static final int HIGH_MASK = 21;
    private static final int CENTRE = 22;
    private static final int FIELDS = 23;

    private int mask;
    private int highMask;
    private int centre;
    private int[] fields = {};

    VnniWriter(BlockFormat format, int rows, int first, int parts) {
        super(format, rows, first, parts, UNSIGNED);
    }

    private boolean bytes() {
        return format.bits() == Byte.SIZE;
    }

    @Override
    void keepConstants() {
        mask = code.keep(repeated(_ -> bytes() ? IntegerKernel.CENTRE : BlockFormat.NIBBLE));
        highMask = code.keep(repeated(_ -> (1 << format.high()) - 1 << BlockFormat.NIBBLE_BITS));
        centre = code.keep(repeated((float) (bytes() ? IntegerKernel.CENTRE : format.zero())));
        fields = fields();
    }

    @Override
    void open() {
        code.constant(MASK, mask);
        code.constant(HIGH_MASK, highMask);
        code.constant(CENTRE, centre);
        for (int field = 0; field < fields.length; field++) {
            code.constant(FIELDS + field, fields[field]);
        }
        for (int sum = 0; sum < rows * parts; sum++) {
            code.load(FLOATS + sum, PRODUCTS, place(sum / parts, sum % parts));
        }
    }

    @Override
    void close() {
        for (int sum = 0; sum < rows * parts; sum++) {
            code.store(PRODUCTS, place(sum / parts, sum % parts), FLOATS + sum);
        }
    }

    @Override
    int sum(int row, int part, int column, int count) {
        int sum = row * parts + part;
        code.apply(Operation.TO_FLOATS, sum, 0, sum);
        if (format.kind() == Kind.FIXED || format.kind() == Kind.SIGNED) {
            code.apply(Operation.SUBTRACT_PRODUCT, sum, count, CENTRE);
        }
        return sum;
    }

    @Override
    int product(int row, int part) {
        return FLOATS + row * parts + part;
    }

    @Override
    void keepProduct(int row, int part) {}

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

    @Override
    void sum(int column) {
        int sums = format.plain() ? FLOATS : 0;
        for (int sum = 0; sum < rows * parts && !format.plain(); sum++) {
            code.apply(Operation.XOR, sum, sum, sum);
        }
        for (int four = 0; four < step / FOUR; four++) {
            for (int part = 0; part < parts; part += halves()) {
                int levels = order.levels(column + four * FOUR);
                codes(CODES[(first + part) / 2], column, four);
                for (int row = 0; row < rows; row++) {
                    code.broadcast(LEVEL, LEVELS, word(levels, row));
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
}
