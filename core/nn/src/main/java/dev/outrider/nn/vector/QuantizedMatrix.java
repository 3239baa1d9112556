package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.INTS;
import static dev.outrider.nn.vector.Lanes.ORDER;
import static dev.outrider.nn.vector.Lanes.PANEL;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.LevelRows;
import dev.outrider.nn.vector.Rows.TiledRows;
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
    /// Columns of a sum that is exact in a float: 1024 * 127 * 127 < 2^24.
    private static final int EXACT = 1024;

    /// The number of panels of a part of the matrix.
    private static final int PANELS = 2;

    private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

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
        panels =
                kernels
                        ? Panels.ofIntegers(
                                List.of(PanelFormat.LEVELS), List.of(outputs), columns, arena)
                        : new Panels(PanelFormat.LEVELS, outputs, columns, arena);
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
        int parts = Math.ceilDiv(panels.count(), PANELS);
        if (kernels) {
            var rows = x.forKernels();
            rows.take(x.levels(columns()));
            workspace
                    .team()
                    .run(
                            parts,
                            (worker, first, end) -> {
                                for (int part = first; part < end; part++) {
                                    multiply(rows, y, part * PANELS, workspace, worker);
                                }
                            });
            return;
        }
        var rows = x.levels(columns());
        workspace
                .team()
                .run(
                        parts,
                        (_, first, end) ->
                                multiply(
                                        rows,
                                        y,
                                        first * PANELS,
                                        Math.min(panels.count(), end * PANELS)));
    }

    /// Multiplies rows by two panels by kernels.
    private void multiply(KernelRows x, float[] y, int first, Workspace workspace, int worker) {
        int second = Math.min(first + 1, panels.count() - 1);
        var sums = IntegerKernel.products(panels, first, second, x, workspace.integers(worker));
        for (int row = 0; row < x.rows(); row++) {
            int excess = IntegerKernel.CENTRE * x.sum(row);
            for (int panel = first; panel <= second; panel++) {
                int from = (row * PANELS + panel - first) * PANEL;
                for (int lane = 0; lane < PANEL; lane += WIDTH) {
                    long place = (long) (from + lane) * Integer.BYTES;
                    var sum = IntVector.fromMemorySegment(INTS, sums, place, ORDER).sub(excess);
                    scale(sum, x.scale(row), y, row * stride(), panel * PANEL + lane);
                }
            }
        }
    }

    /// Multiplies rows by panels in Java's vector code. Sums of up to 1024 products of two levels are exact in a float; these sums
    /// are then added as integers.
    private void multiply(LevelRows x, float[] y, int firstPanel, int endPanel) {
        int from = firstPanel * PANEL;
        int to = endPanel * PANEL;
        var scratch = SCRATCH.get();
        var tiles = scratch.take(x.levels(), x.rows(), columns());
        var products = scratch.products(tiles.paddedRows() * stride());
        int[] exact = scratch.sums(x.rows() * stride());
        Arrays.fill(exact, 0, x.rows() * stride(), 0);
        for (int column = 0; column < columns(); column += EXACT) {
            int count = Math.min(EXACT, columns() - column);
            panels.multiply(tiles, products, firstPanel, endPanel, column, count, scratch.scales);
            for (int row = 0; row < x.rows(); row++) {
                int at = row * stride();
                add(products, exact, at + from, at + to);
            }
        }
        for (int row = 0; row < x.rows(); row++) {
            int at = row * stride();
            for (int output = from; output < to; output += WIDTH) {
                var sum = IntVector.fromArray(INTS, exact, at + output);
                scale(sum, x.scale(row, 0), y, at, output);
            }
        }
    }

    private static void add(float[] products, int[] sums, int first, int end) {
        for (int at = first; at < end; at++) {
            sums[at] += (int) products[at];
        }
    }

    /// Computes products from sums.
    private void scale(IntVector sum, float scale, float[] y, int row, int output) {
        ((FloatVector) sum.convert(VectorOperators.I2F, 0))
                .mul(scale)
                .mul(FloatVector.fromArray(FLOATS, scales, output))
                .intoArray(y, row + output);
    }

    /// The memory of one thread.
    private static final class Scratch {
        private final TiledRows tiles = new TiledRows();
        private final Scales scales = new Scales();
        private float[] row = new float[0];
        private byte[] levels = new byte[0];
        private int[] sums = new int[0];
        private float[] products = new float[0];

        /// Returns memory for at least one row.
        float[] row(int columns) {
            if (row.length < columns) {
                row = new float[columns];
            }
            return row;
        }

        TiledRows take(MemorySegment x, int rows, int columns) {
            row(columns);
            if (levels.length < columns) {
                levels = new byte[columns];
            }
            tiles.shape(rows, columns);
            for (int index = 0; index < rows; index++) {
                MemorySegment.copy(
                        x, ValueLayout.JAVA_BYTE, (long) index * columns, levels, 0, columns);
                for (int column = 0; column < columns; column++) {
                    row[column] = levels[column];
                }
                tiles.put(index, row, 0);
            }
            return tiles;
        }

        int[] sums(int count) {
            if (sums.length < count) {
                sums = new int[count];
            }
            return sums;
        }

        float[] products(int count) {
            if (products.length < count) {
                products = new float[count];
            }
            return products;
        }
    }
}
