package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.KernelRows.Order;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.LevelRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/// A matrix in eight bits that multiplies rows in eight bits. An output has a scale, which is its greatest magnitude divided by
/// 127, and a level for each weight. Products are sums of integers, times the scales of row and output. Sums are exact, so
/// kernels and Java's vector code give the same bits.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), section 3: vector-wise quantisation"
final class QuantizedMatrix implements Matrix {
    /// The number of panels of a part of the matrix.
    private static final int PANELS = 2;

    private final float[] scales;
    private final Panels panels;
    private final boolean kernels;
    private int filled;

    /// Makes an empty matrix.
    ///
    /// @param byKernels whether kernels multiply it, which run here
    QuantizedMatrix(int outputs, int columns, Arena arena, boolean byKernels) {
        scales = new float[Lanes.roundedUp(outputs, PANEL)];
        kernels = byKernels;
        panels = Panels.ofIntegers(List.of(PanelFormat.LEVELS), List.of(outputs), columns, arena);
    }

    @Override
    public int outputs() {
        return panels.outputs();
    }

    @Override
    public int columns() {
        return panels.columns();
    }

    @Override
    public int stride() {
        return scales.length;
    }

    @Override
    public boolean zeroed() {
        return false;
    }

    @Override
    public void fill(int first, MemorySegment rows) {
        if (first != filled) {
            throw new IllegalStateException(
                    "output %d comes after %d".formatted(first, filled - 1));
        }
        var numbers = new float[columns()];
        var output = new byte[columns()];
        var levels = MemorySegment.ofArray(numbers);
        for (long at = 0; at < rows.byteSize(); at += levels.byteSize()) {
            MemorySegment.copy(rows, ValueLayout.JAVA_FLOAT, at, numbers, 0, columns());
            scales[filled] = round(numbers, output);
            for (int column = 0; column < columns(); column++) {
                numbers[column] = output[column];
            }
            panels.fill(filled, levels);
            filled++;
        }
    }

    /// Rounds an output.
    ///
    /// @param into receives its levels
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
    public void fill(int first, FileMatrix rows) {
        throw new IllegalArgumentException("levels with a scale an output do not keep " + rows);
    }

    @Override
    public void read(int output, float[] into, int at) {
        panels.read(output, into, at);
        for (int column = at; column < at + columns(); column++) {
            into[column] *= scales[output];
        }
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        LevelRows levels;
        if (kernels) {
            levels = x.forKernels(Order.FOURS).take(x, columns(), workspace);
        } else {
            levels = x.levels(columns());
            x.rounded().take(levels, false, true);
        }
        workspace
                .team()
                .run(
                        Math.ceilDiv(panels.count(), PANELS),
                        (worker, from, end) -> {
                            for (int part = from; part < end; part++) {
                                int first = part * PANELS;
                                var memory = workspace.integers(worker);
                                if (kernels) {
                                    byKernels(x.forKernels(Order.FOURS), first, memory);
                                } else {
                                    inJava(x.rounded(), first, memory);
                                }
                                scale(memory.exact(0), levels, first, y);
                            }
                        });
    }

    private int second(int first) {
        return Math.min(first + 1, panels.count() - 1);
    }

    /// Sums products of two panels by kernels, and subtracts what they add to each code.
    private void byKernels(KernelRows x, int first, Sums memory) {
        var sums = IntegerKernel.products(panels, first, second(first), x, memory);
        int size = PANELS * PANEL;
        int[] exact = memory.exact(x.rows() * size);
        MemorySegment.copy(sums, ValueLayout.JAVA_INT, 0, exact, 0, x.rows() * size);
        for (int row = 0; row < x.rows(); row++) {
            int excess = IntegerKernel.EXCESS * x.sum(row);
            for (int at = row * size; at < (row + 1) * size; at++) {
                exact[at] -= excess;
            }
        }
    }

    /// Sums products of two panels in Java's vector code.
    private void inJava(RoundedRows x, int first, Sums memory) {
        int size = PANELS * PANEL;
        int[] exact = memory.exact(x.rows() * size);
        Arrays.fill(exact, 0, x.rows() * size, 0);
        for (int column = 0; column < columns(); column += IntegerTiles.CHUNK) {
            int width = Math.min(IntegerTiles.CHUNK, columns() - column);
            int steps = Math.ceilDiv(width, RoundedRows.BLOCK);
            long from = panels.from(first, column);
            long other = panels.from(second(first), column);
            for (int tile = 0; tile < x.tiles(); tile++) {
                int height = x.height(tile);
                PanelFormat.LEVELS
                        .integerTiles(height)
                        .multiply(
                                panels.memory(),
                                from,
                                other,
                                x,
                                tile,
                                column,
                                steps * RoundedRows.BLOCK,
                                memory);
                for (int step = 0; step < steps; step++) {
                    add(
                            memory.floats,
                            step * height * size,
                            exact,
                            x.firstRow(tile) * size,
                            height * size);
                }
            }
        }
    }

    private static void add(float[] products, int from, int[] sums, int to, int count) {
        for (int index = 0; index < count; index++) {
            sums[to + index] += (int) products[from + index];
        }
    }

    /// Computes products from sums.
    ///
    /// @param sums `[rows, 2, PANEL]`
    private void scale(int[] sums, LevelRows x, int first, float[] y) {
        int end = Math.min(panels.count(), first + PANELS) * PANEL;
        for (int row = 0; row < x.rows(); row++) {
            for (int output = first * PANEL; output < end; output += WIDTH) {
                int at = (row * PANELS - first) * PANEL + output;
                ((FloatVector) IntVector.fromArray(INTS, sums, at).convert(VectorOperators.I2F, 0))
                        .mul(x.scale(row, 0))
                        .mul(FloatVector.fromArray(FLOATS, scales, output))
                        .intoArray(y, row * stride() + output);
            }
        }
    }
}
