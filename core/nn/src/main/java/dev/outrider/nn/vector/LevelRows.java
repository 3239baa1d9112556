package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// Rows in eight bits: a row has a scale, its greatest magnitude over 127, and each number a level, which times the scale is what
/// the number becomes. Reused from product to product; confined to the pass.
///
/// @see "Yao et al. 2022 (ZeroQuant), section 4.1: token-wise quantisation of activations"
final class LevelRows {
    static final int MAX = 127;

    /// Below it a row is taken for zeros: its inverse would be infinite.
    private static final float MIN = 0x1p-100f;

    /// Adding it and taking it away again rounds to the nearest integer, ties to even.
    private static final float ROUNDER = 0x1.8p23f;

    private final GrowingMemory memory = new GrowingMemory();
    private float[] scales = new float[0];
    private float[] rounded = new float[0];
    private byte[] bytes = new byte[0];
    private MemorySegment levels = MemorySegment.NULL;
    private int rows;
    private int columns;

    /// Makes room for rows that [#put] brings.
    void shape(int count, int width) {
        rows = count;
        columns = width;
        levels = memory.of((long) count * width);
        if (scales.length < count) {
            scales = new float[count];
        }
        if (rounded.length < width) {
            rounded = new float[width];
            bytes = new byte[width];
        }
    }

    /// Takes one row.
    void put(int row, float[] x, int at) {
        float most = greatest(x, at);
        boolean none = most < MIN;
        scales[row] = none ? 0 : most / MAX;
        round(x, at, none ? 0 : MAX / most);
        for (int column = 0; column < columns; column++) {
            bytes[column] = (byte) rounded[column];
        }
        MemorySegment.copy(bytes, 0, levels, ValueLayout.JAVA_BYTE, (long) row * columns, columns);
    }

    private float greatest(float[] x, int at) {
        var most = FloatVector.zero(FLOATS);
        int column = 0;
        for (; column <= columns - WIDTH; column += WIDTH) {
            most = most.max(FloatVector.fromArray(FLOATS, x, at + column).abs());
        }
        float result = most.reduceLanes(VectorOperators.MAX);
        for (; column < columns; column++) {
            result = Math.max(result, Math.abs(x[at + column]));
        }
        return result;
    }

    private void round(float[] x, int at, float inverse) {
        int column = 0;
        for (; column <= columns - WIDTH; column += WIDTH) {
            FloatVector.fromArray(FLOATS, x, at + column)
                    .mul(inverse)
                    .add(ROUNDER)
                    .sub(ROUNDER)
                    .intoArray(rounded, column);
        }
        for (; column < columns; column++) {
            rounded[column] = x[at + column] * inverse + ROUNDER - ROUNDER;
        }
    }

    int rows() {
        return rows;
    }

    int columns() {
        return columns;
    }

    /// Bytes `[rows, columns]`.
    MemorySegment levels() {
        return levels;
    }

    float scale(int row) {
        return scales[row];
    }
}
