package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.jit.Assembler.Register;
import dev.outrider.nn.jit.Assembler.Shift;
import dev.outrider.nn.vector.BlockFormat.Kind;

/// Writes kernels in which one instruction adds two products of a code and a level (AVX2), for codes of fewer than eight bits.
///
/// 16 bits of an output have the codes of four columns, and outputs of the panel's halves alternate. The lower four bits of each
/// byte are the codes of the first and the third column, the upper ones those of the second and the fourth. Sums have 16 bits
/// and are those of a run of columns, as in [FormatIntegers]; at most two runs are a step.
final class PairsWriter extends KernelWriter {
    /// Registers: sums of integers of a panel, two of codes for each panel, then these.
    private static final int CODE = 8;

    private static final int LEVEL = 12;
    private static final int OTHER_LEVEL = 13;
    private static final int DOT = 14;
    private static final int NIBBLES = 15;

    /// Registers while floats are computed, after those of [KernelWriter].
    private static final int SUM = 11;

    /// The register with the address of the sums of a step's first run.
    private static final Register SAVED = Register.SPARE;

    private final int run;
    private final int panels;
    private int nibbles;
    private int pairs;
    private int places;
    private int highMask;
    private int least;
    private int middle;
    private int lower;

    PairsWriter(BlockFormat format, int rows, int first, int parts) {
        super(format, rows, first, parts, CODE);
        run = IntegerTiles.run(format);
        panels = parts / 2;
    }

    @Override
    void keepConstants() {
        int high = format.high();
        int ones = (1 << high) - 1;
        nibbles = shorts(BlockFormat.NIBBLE << Byte.SIZE | BlockFormat.NIBBLE);
        pairs = shorts(ones << 2 * high | ones);
        places = shorts(1 << 3 * BlockFormat.NIBBLE_BITS - 2 * high | 1 << BlockFormat.NIBBLE_BITS);
        highMask = shorts((ones << Byte.SIZE | ones) << BlockFormat.NIBBLE_BITS);
        least = shorts(-format.middle());
        middle = code.keep(repeated((float) format.middle()));
        lower = code.keep(repeated(at -> at % Integer.BYTES == 0 ? 1 : 0));
    }

    private int shorts(int number) {
        return code.keep(repeated(at -> number >> Byte.SIZE * (at % Short.BYTES)));
    }

    @Override
    void open() {
        code.constant(NIBBLES, nibbles);
        code.copy(SAVED, SCALES);
        code.add(SAVED, 2 * IntegerKernel.SCALES * Float.BYTES);
    }

    @Override
    void close() {}

    @Override
    void sum(int column) {
        for (int at = column; at < column + step; at += run) {
            for (int row = 0; row < rows; row++) {
                for (int panel = 0; panel < panels; panel++) {
                    int sum = row * panels + panel;
                    if (at > column) {
                        code.store(SAVED, sum * BYTES, sum);
                    }
                    code.broadcast(sum, LEVELS, word(order.run(at, run), row));
                    code.applyConstant(Operation.MULTIPLY_SHORTS, sum, sum, least);
                }
            }
            for (int four = at; four < at + run; four += FOUR) {
                multiply(column, four);
            }
        }
    }

    /// Adds products of four columns.
    private void multiply(int column, int four) {
        for (int panel = 0; panel < panels; panel++) {
            var codes = CODES[first / 2 + panel];
            codes(codes, CODE + 2 * panel, column, four - column);
            int from = four * PANEL * format.bits() / Byte.SIZE;
            prefetch(codes, from, from + FOUR * PANEL * format.bits() / Byte.SIZE);
        }
        int levels = order.levels(four);
        for (int row = 0; row < rows; row++) {
            code.broadcast(LEVEL, LEVELS, word(levels, row));
            code.broadcast(OTHER_LEVEL, LEVELS, word(levels + 1, row));
            for (int panel = 0; panel < panels; panel++) {
                int sum = row * panels + panel;
                code.apply(Operation.DOT_BYTES, DOT, CODE + 2 * panel, LEVEL);
                code.apply(Operation.ADD_SHORTS, sum, sum, DOT);
                code.apply(Operation.DOT_BYTES, DOT, CODE + 2 * panel + 1, OTHER_LEVEL);
                code.apply(Operation.ADD_SHORTS, sum, sum, DOT);
            }
        }
    }

    /// Loads the codes of four columns as unsigned bytes, two of each output in a register.
    ///
    /// @param into the register of the first and the third column; the next one is that of the others
    /// @param from the first of the columns, from the step's first
    private void codes(Register codes, int into, int column, int from) {
        int start = column * PANEL * format.bits() / Byte.SIZE;
        code.load(into, codes, start + from / FOUR * BYTES);
        code.shift(Shift.RIGHT, into + 1, into, BlockFormat.NIBBLE_BITS);
        code.apply(Operation.AND, into, into, NIBBLES);
        code.apply(Operation.AND, into + 1, into + 1, NIBBLES);
        int high = format.high();
        if (high == 0) {
            return;
        }
        int bit = from * high;
        code.loadBytesAsShorts(LEVEL, codes, start + step * PANEL / 2 + bit / Byte.SIZE * PANEL);
        for (int other = 0; other < 2; other++) {
            int bits = LEVEL;
            int shift = bit % Byte.SIZE + other * high;
            if (shift > 0) {
                bits = DOT;
                code.shift(Shift.RIGHT, DOT, LEVEL, shift);
            }
            code.applyConstant(Operation.AND, DOT, bits, pairs);
            code.applyConstant(Operation.MULTIPLY_SHORTS, DOT, DOT, places);
            code.applyConstant(Operation.AND, DOT, DOT, highMask);
            code.apply(Operation.OR, into + other, into + other, DOT);
        }
    }

    @Override
    int sum(int row, int part, int column, int count) {
        int sum = row * panels + part / 2;
        widenSum(SUM, sum, part % 2);
        if (run < step) {
            code.load(PRODUCT, SAVED, sum * BYTES);
            widenSum(PRODUCT, PRODUCT, part % 2);
            code.apply(Operation.ADD_INTEGERS, SUM, SUM, PRODUCT);
        }
        code.apply(Operation.TO_FLOATS, SUM, 0, SUM);
        if (format.kind() != Kind.FIXED) {
            code.applyConstant(Operation.ADD_PRODUCT, SUM, count, middle);
        }
        return SUM;
    }

    private void widenSum(int to, int from, int half) {
        if (half == 0) {
            code.applyConstant(Operation.DOT_SHORTS, to, from, lower);
        } else {
            code.shift(Shift.RIGHT_WITH_SIGN, to, from, Short.SIZE);
        }
    }
}
