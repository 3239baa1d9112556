package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.RoundedRows.Form;
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
    private final Set<Form> forms = EnumSet.noneOf(Form.class);

    /// Makes an empty matrix.
    ///
    /// @param formats formats of consecutive ranges of outputs; each has [PanelFormat#integers]
    /// @param outputs number of outputs of each range
    IntegerPanels(List<PanelFormat> formats, List<Integer> outputs, int columns, Arena arena) {
        formats.forEach(format -> forms.add(Form.of(format.integers())));
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
        var rounded = x.rounded(RoundedRows.BLOCK, forms);
        workspace
                .team()
                .run(
                        Math.ceilDiv(panels.count(), AT_ONCE),
                        (worker, from, end) ->
                                multiply(
                                        rounded,
                                        y,
                                        from * AT_ONCE,
                                        Math.min(panels.count(), end * AT_ONCE),
                                        workspace.scales(worker),
                                        workspace.integers(worker)));
    }

    private void multiply(
            RoundedRows x, float[] y, int from, int end, Scales scales, Sums integers) {
        for (int panel = from; panel < end; ) {
            boolean both = panel + 1 < end && panels.format(panel + 1) == panels.format(panel);
            var sums = integers.products(x.rows() * AT_ONCE * PANEL);
            int second = both ? panel + 1 : panel;
            if (IntegerKernel.runs(panels.format(panel).integers())) {
                var products =
                        IntegerKernel.products(panels, panel, second, x, integers);
                MemorySegment.copy(
                        products, JAVA_FLOAT, 0, sums, 0, x.rows() * AT_ONCE * PANEL);
            } else {
                multiply(x, panel, second, scales, integers, sums);
            }
            for (int row = 0; row < x.rows(); row++) {
                int at = row * AT_ONCE * PANEL;
                copy(sums, at, y, row, panel);
                if (both) {
                    copy(sums, at + PANEL, y, row, panel + 1);
                }
            }
            panel += both ? 2 : 1;
        }
    }

    private void copy(float[] sums, int at, float[] y, int row, int panel) {
        int first = panels.first(panel);
        System.arraycopy(sums, at, y, row * stride() + first, panels.first(panel + 1) - first);
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
