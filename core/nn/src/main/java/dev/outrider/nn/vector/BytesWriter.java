package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.BYTES;
import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.jit.Assembler.Operation;
import dev.outrider.nn.vector.BlockFormat.Kind;

/// Writes kernels for codes of eight bits in which one instruction adds two products (AVX2).
///
/// That instruction multiplies unsigned by signed bytes, so the level gets the sign of the code. Two products are at most
/// 2 * 128 * 127, which fits 16 bits.
final class BytesWriter extends KernelWriter {
    /// Registers: sums of integers of halves of panels, then these. The first four are free while floats are computed.
    private static final int CODE = 8;

    private static final int SIZE = 9;
    private static final int LEVEL = 10;
    private static final int DOT = 11;
    private static final int ONES = 13;

    private int ones;
    private int centre;

    BytesWriter(BlockFormat format, int rows, int first, int parts) {
        super(format, rows, first, parts, CODE);
    }

    @Override
    void keepConstants() {
        ones = code.keep(repeated(at -> 1 - at % Short.BYTES));
        centre = code.keep(repeated((float) IntegerKernel.CENTRE));
    }

    @Override
    void open() {
        code.constant(ONES, ones);
        for (int sum = 0; sum < rows * parts && format.plain(); sum++) {
            code.load(sum, PRODUCTS, place(sum / parts, sum % parts));
        }
    }

    @Override
    void close() {
        for (int sum = 0; sum < rows * parts && format.plain(); sum++) {
            code.store(PRODUCTS, place(sum / parts, sum % parts), sum);
        }
    }

    @Override
    void sum(int column) {
        for (int sum = 0; sum < rows * parts && !format.plain(); sum++) {
            code.apply(Operation.XOR, sum, sum, sum);
        }
        for (int four = column; four < column + step; four += FOUR) {
            for (int part = 0; part < parts; part++) {
                var codes = CODES[(first + part) / 2];
                int from = four * PANEL;
                code.load(CODE, codes, from + (first + part) % 2 * BYTES);
                code.apply(Operation.SIZES, SIZE, 0, CODE);
                if (part % 2 == 0) {
                    prefetch(codes, from, from + FOUR * PANEL);
                }
                for (int row = 0; row < rows; row++) {
                    code.broadcast(LEVEL, LEVELS, word(order.levels(four), row));
                    code.apply(Operation.SIGN, DOT, LEVEL, CODE);
                    code.apply(Operation.DOT_BYTES, DOT, SIZE, DOT);
                    code.apply(Operation.DOT_SHORTS, DOT, DOT, ONES);
                    int sum = row * parts + part;
                    code.apply(Operation.ADD_INTEGERS, sum, sum, DOT);
                }
            }
        }
    }

    @Override
    int sum(int row, int part, int column, int count) {
        int sum = row * parts + part;
        code.apply(Operation.TO_FLOATS, sum, 0, sum);
        if (format.kind() == Kind.POINT) {
            code.applyConstant(Operation.ADD_PRODUCT, sum, count, centre);
        }
        return sum;
    }
}
