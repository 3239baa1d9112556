package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.integers.IntegerMatrix;
import dev.outrider.nn.integers.IntegerProducts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// A matrix in eight bits that multiplies rows in eight bits: an output has a scale, its greatest magnitude over 127, and each
/// weight a level. Products are sums of integers, times the scales of row and output.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), section 3: vector-wise quantisation"
final class LevelMatrix implements Matrix {
    private final int outputs;
    private final int columns;
    private final float[] scales;
    private final IntegerMatrix levels;
    private int filled;

    LevelMatrix(IntegerProducts products, int outputs, int columns, Arena arena) {
        this.outputs = outputs;
        this.columns = columns;
        scales = new float[Lanes.roundedUp(outputs, Lanes.PANEL)];
        levels = products.matrix(outputs, columns, arena);
    }

    @Override
    public int outputs() {
        return outputs;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public int stride() {
        return scales.length;
    }

    @Override
    public void fill(int first, MemorySegment rows) {
        if (first != filled) {
            throw new IllegalStateException(
                    "output %d comes after %d".formatted(first, filled - 1));
        }
        var numbers = new float[columns];
        var output = new byte[columns];
        long bytes = (long) columns * Float.BYTES;
        for (long at = 0; at < rows.byteSize(); at += bytes) {
            MemorySegment.copy(rows, ValueLayout.JAVA_FLOAT, at, numbers, 0, columns);
            scales[filled] = round(numbers, output);
            levels.add(output);
            filled++;
        }
    }

    /// Rounds an output.
    ///
    /// @param into gets its levels
    /// @return its scale
    static float round(float[] numbers, byte[] into) {
        float most = 0;
        for (int column = 0; column < into.length; column++) {
            most = Math.max(most, Math.abs(numbers[column]));
        }
        float scale = most / LevelRows.MAX;
        for (int column = 0; column < into.length; column++) {
            int level = scale == 0 ? 0 : Math.round(numbers[column] / scale);
            into[column] = (byte) Math.clamp(level, -LevelRows.MAX, LevelRows.MAX);
        }
        return scale;
    }

    @Override
    public void fill(int first, PackedMatrix rows) {
        throw new IllegalArgumentException("levels with a scale an output do not keep " + rows);
    }

    @Override
    public void fill(int first, FileMatrix rows) {
        throw new IllegalArgumentException("levels with a scale an output do not keep " + rows);
    }

    @Override
    public void read(int output, float[] into, int at) {
        var numbers = new byte[columns];
        levels.read(output, numbers);
        for (int column = 0; column < columns; column++) {
            into[at + column] = numbers[column] * scales[output];
        }
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        var rows = x.levels();
        var sums = workspace.sums((long) rows.rows() * stride() * Integer.BYTES);
        workspace
                .team()
                .run(
                        levels.parts(),
                        (_, first, end) -> {
                            levels.multiply(rows.levels(), rows.rows(), sums, stride(), first, end);
                            int to = end == levels.parts() ? stride() : levels.firstOutput(end);
                            for (int row = 0; row < rows.rows(); row++) {
                                scale(
                                        sums,
                                        y,
                                        row * stride(),
                                        rows.scale(row),
                                        levels.firstOutput(first),
                                        to);
                            }
                        });
    }

    /// Makes products of sums.
    private void scale(MemorySegment sums, float[] y, int at, float scale, int first, int end) {
        // As they are: what lies in `y` for a moment are integers.
        MemorySegment.copy(
                sums,
                ValueLayout.JAVA_FLOAT,
                (long) (at + first) * Integer.BYTES,
                y,
                at + first,
                end - first);
        for (int output = first; output < end; output += WIDTH) {
            var sum = FloatVector.fromArray(FLOATS, y, at + output).reinterpretAsInts();
            ((FloatVector) sum.convert(VectorOperators.I2F, 0))
                    .mul(scale)
                    .mul(FloatVector.fromArray(FLOATS, scales, output))
                    .intoArray(y, at + output);
        }
    }
}
