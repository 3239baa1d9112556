package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.KernelRows.Order;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.Rows.InputRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A matrix of integers with scales. It multiplies rows in eight bits with a scale for every [RoundedRows#BLOCK] columns. A panel
/// has outputs of one format only, so that results do not depend on the width of vectors.
final class IntegerPanels implements Matrix {
    /// The number of panels that are multiplied at once.
    private static final int AT_ONCE = 2;

    private final Panels panels;

    /// Orders of rows for the panels that kernels multiply; whether Java does those with fewer than eight bits; and those with
    /// eight bits.
    private final Set<Order> kernels = EnumSet.noneOf(Order.class);

    private final boolean narrow;
    private final boolean bytes;

    /// Makes an empty matrix.
    ///
    /// @param formats formats of consecutive ranges of outputs; each has [PanelFormat#integers]
    /// @param outputs number of outputs of each range
    IntegerPanels(List<PanelFormat> formats, List<Integer> outputs, int columns, Arena arena) {
        var blocks = formats.stream().map(PanelFormat::integers).toList();
        var inJava = blocks.stream().filter(each -> !IntegerKernel.runs(each)).toList();
        blocks.stream().filter(IntegerKernel::runs).map(IntegerKernel::order).forEach(kernels::add);
        narrow = inJava.stream().anyMatch(each -> each.bits() < Byte.SIZE);
        bytes = inJava.stream().anyMatch(each -> each.bits() == Byte.SIZE);
        panels = Panels.ofIntegers(formats, outputs, columns, arena);
    }

    Panels panels() {
        return panels;
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
        return Lanes.roundedUp(outputs(), PANEL);
    }

    @Override
    public boolean zeroed() {
        return panels.zeroed();
    }

    @Override
    public void fill(int first, MemorySegment rows) {
        panels.fill(first, rows);
    }

    @Override
    public void fill(int first, FileMatrix rows) {
        panels.fill(first, rows);
    }

    @Override
    public void read(int output, float[] into, int at) {
        panels.read(output, into, at);
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        for (var order : kernels) {
            x.forKernels(order).take(x, KernelRows.BLOCK, workspace);
        }
        if (narrow || bytes) {
            x.rounded().take(x.levels(RoundedRows.BLOCK), narrow, bytes);
        }
        workspace
                .team()
                .run(
                        Math.ceilDiv(panels.count(), AT_ONCE),
                        (worker, from, end) ->
                                multiply(
                                        x,
                                        y,
                                        from * AT_ONCE,
                                        Math.min(panels.count(), end * AT_ONCE),
                                        workspace.scales(worker),
                                        workspace.integers(worker)));
    }

    private void multiply(InputRows x, float[] y, int from, int end, Scales scales, Sums integers) {
        for (int panel = from; panel < end; ) {
            boolean both = panel + 1 < end && panels.format(panel + 1) == panels.format(panel);
            int second = both ? panel + 1 : panel;
            MemorySegment sums;
            var format = panels.format(panel).integers();
            if (IntegerKernel.runs(format)) {
                var rows = x.forKernels(IntegerKernel.order(format));
                sums = IntegerKernel.products(panels, panel, second, rows, integers);
            } else {
                var products = integers.products(x.rows() * AT_ONCE * PANEL);
                multiply(x.rounded(), panel, second, scales, integers, products);
                sums = MemorySegment.ofArray(products);
            }
            for (int row = 0; row < x.rows(); row++) {
                copy(sums, row * AT_ONCE, y, row, panel);
                if (both) {
                    copy(sums, row * AT_ONCE + 1, y, row, panel + 1);
                }
            }
            panel += both ? 2 : 1;
        }
    }

    private void copy(MemorySegment sums, int from, float[] y, int row, int panel) {
        int first = panels.first(panel);
        long at = (long) from * PANEL * Float.BYTES;
        int count = panels.first(panel + 1) - first;
        MemorySegment.copy(sums, JAVA_FLOAT, at, y, row * stride() + first, count);
    }

    private void multiply(
            RoundedRows x, int first, int second, Scales scales, Sums integers, float[] sums) {
        var format = panels.format(first);
        int columns = Lanes.roundedUp(columns(), format.blocks().columns());
        Arrays.fill(sums, 0, x.rows() * AT_ONCE * PANEL, 0);
        for (int column = 0; column < columns; column += IntegerTiles.CHUNK) {
            int width = Math.min(IntegerTiles.CHUNK, columns - column);
            long from = panels.from(first, column);
            long other = panels.from(second, column);
            var unpacked = new float[0];
            for (int tile = 0; tile < x.tiles(); tile++) {
                var tiles = format.integerTiles(x.height(tile));
                tiles.multiply(panels.memory(), from, other, x, tile, column, width, integers);
                if (tile == 0) {
                    // Scales are read here, because the cache has them after the codes.
                    unpacked =
                            scales.of(
                                    format,
                                    format.integers(),
                                    panels.memory(),
                                    from,
                                    other - from,
                                    AT_ONCE,
                                    width);
                }
                int at = x.firstRow(tile) * AT_ONCE * PANEL;
                tiles.scaling().scale(integers, unpacked, x, tile, column, width, sums, at);
            }
        }
    }
}
