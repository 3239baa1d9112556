package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.common.Undo;
import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.Zeros;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.TiledRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A matrix `[outputs, columns]` in panels for multiplication. A panel has [Lanes#PANEL] outputs, stored column after column. So
/// each lane of a vector of weights belongs to a different output, and no sum goes over lanes. The last panel and the last block
/// are padded with zeros. Thread-safe after it is filled.
final class Panels implements Matrix {
    /// Columns of a block.
    static final int BLOCK = Levels.BLOCK;

    /// The number of panels by which all tiles are multiplied before the next panels. It is small, so that they stay in the
    /// cache, and it is the number of panels by which kernels multiply one row at a time.
    static final int AT_ONCE = 4;

    /// Columns of a strip: a strip and a tile fit the first-level cache. A multiple of every block's columns.
    private static final int STRIP = 8 * BLOCK;

    /// The number of columns of plain numbers that are stored at once.
    private static final int PACKED = 8 * BLOCK;

    /// Bytes that vectors read beyond the last block.
    static final long BEYOND = BlockFormat.BEYOND;

    /// Bytes before the first block: [FormatBytes] reads three of them.
    static final long BEFORE = 64;

    /// Kernels for strips, by the rows of a tile.
    private static final List<FloatTiles> OF_STRIPS =
            IntStream.rangeClosed(0, Lanes.TILE)
                    .mapToObj(rows -> new FloatTiles(PanelFormat.F32.blocks(), rows))
                    .toList();

    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final PanelFormat[] formats;
    private final BlockFormat[] blocks;
    private final int[] firsts;
    private final long[] places;
    private final int outputs;
    private final int columns;
    private final boolean exactTiles;
    private final MemorySegment memory;

    /// Makes an empty matrix.
    Panels(PanelFormat format, int outputs, int columns, Arena arena) {
        this(Collections.nCopies(Math.ceilDiv(outputs, PANEL), format), outputs, columns, arena);
    }

    /// Makes an empty matrix whose panels have separate formats.
    ///
    /// @param kept format of each panel
    Panels(List<PanelFormat> kept, int outputs, int columns, Arena arena) {
        this(
                kept,
                PanelFormat::blocks,
                IntStream.rangeClosed(0, kept.size())
                        .map(panel -> Math.min(outputs, panel * PANEL))
                        .toArray(),
                columns,
                arena);
        kept.stream().distinct().forEach(PanelFormat::rehearse);
    }

    /// Makes an empty matrix whose panels have separate formats and numbers of outputs.
    ///
    /// @param layout layout of a format's numbers
    /// @param firsts first output of each panel, and the number of outputs
    Panels(
            List<PanelFormat> kept,
            Function<PanelFormat, BlockFormat> layout,
            int[] firsts,
            int columns,
            Arena arena) {
        formats = kept.toArray(PanelFormat[]::new);
        blocks = kept.stream().map(layout).toArray(BlockFormat[]::new);
        this.firsts = firsts;
        this.outputs = firsts[formats.length];
        this.columns = columns;
        exactTiles = Arrays.stream(blocks).allMatch(FloatTiles::runs);
        places = new long[formats.length + 1];
        places[0] = BEFORE;
        for (int panel = 0; panel < formats.length; panel++) {
            places[panel + 1] = places[panel] + bytes(blocks[panel]);
        }
        memory = GrowingMemory.allocate(arena, places[formats.length] + BEYOND);
    }

    /// Makes an empty matrix for products of integers. A panel has outputs of one range only.
    ///
    /// @param formats formats of consecutive ranges of outputs; each has [PanelFormat#integers]
    /// @param outputs number of outputs of each range
    static Panels ofIntegers(
            List<PanelFormat> formats, List<Integer> outputs, int columns, Arena arena) {
        formats.stream().distinct().forEach(PanelFormat::rehearseIntegers);
        var kept = new ArrayList<PanelFormat>();
        var firsts = new ArrayList<Integer>();
        int all = 0;
        for (int part = 0; part < formats.size(); part++) {
            for (int output = 0; output < outputs.get(part); output += PANEL) {
                kept.add(formats.get(part));
                firsts.add(all + output);
            }
            all = Math.addExact(all, outputs.get(part));
        }
        firsts.add(all);
        return new Panels(
                kept,
                PanelFormat::integers,
                firsts.stream().mapToInt(Integer::intValue).toArray(),
                columns,
                arena);
    }

    private long bytes(BlockFormat blocks) {
        return Math.ceilDiv(columns, blocks.columns()) * blocks.bytes();
    }

    @Override
    public int outputs() {
        return outputs;
    }

    @Override
    public int columns() {
        return columns;
    }

    /// Returns the number of panels.
    int count() {
        return formats.length;
    }

    @Override
    public int stride() {
        return count() * PANEL;
    }

    private int panel(int output) {
        int found = Arrays.binarySearch(firsts, output);
        return found < 0 ? -found - 2 : found;
    }

    private long place(int panel, int block) {
        return places[panel] + block * blocks[panel].bytes();
    }

    /// Returns the first output of a panel; for the index after the last panel, the number of outputs.
    int first(int panel) {
        return firsts[panel];
    }

    PanelFormat format(int panel) {
        return formats[panel];
    }

    /// Returns the place of a panel's column, which is the first one of a block.
    long from(int panel, int column) {
        return place(panel, column / blocks[panel].columns());
    }

    MemorySegment memory() {
        return memory;
    }

    /// Returns true for plain numbers, which need no scales: new memory is filled with zeros.
    @Override
    public boolean zeroed() {
        return Arrays.stream(formats).allMatch(each -> each.blocks().plain());
    }

    @Override
    public void fill(int first, MemorySegment rows) {
        int count = Math.toIntExact(rows.byteSize() / ((long) columns * Float.BYTES));
        int end = first + count;
        for (int output = first; output < end; ) {
            int next = Math.min(end, firsts[panel(output) + 1]);
            pack(output, next, rows, (long) (output - first) * columns * Float.BYTES);
            output = next;
        }
    }

    /// Stores outputs of one panel. It stores some columns of all outputs before the next columns, so that the written memory
    /// stays in the cache.
    private void pack(int first, int end, MemorySegment numbers, long from) {
        int panel = panel(first);
        var format = blocks[panel];
        var some = new float[format.plain() ? PACKED : format.columns()];
        for (int start = 0; start < columns; start += some.length) {
            int kept = Math.min(some.length, columns - start);
            if (kept < some.length) {
                Arrays.fill(some, 0);
            }
            long place = from(panel, start);
            for (int output = first; output < end; output++) {
                long at = from + ((long) (output - first) * columns + start) * Float.BYTES;
                MemorySegment.copy(numbers, ValueLayout.JAVA_FLOAT, at, some, 0, kept);
                format.pack(some, kept, memory, place, output - firsts[panel]);
            }
        }
    }

    /// Copies the file's blocks into panels of the same format; for other panels it computes the numbers.
    @Override
    public void fill(int first, FileMatrix rows) {
        int end = Math.addExact(first, Math.toIntExact(rows.rows()));
        IntStream.rangeClosed(panel(first), panel(end - 1))
                .parallel()
                .forEach(panel -> fill(panel, first, end, rows));
    }

    /// Stores the outputs of one panel.
    private void fill(int panel, int first, int end, FileMatrix rows) {
        var format = blocks[panel];
        boolean kept = formats[panel] == PanelFormat.of(rows).orElseThrow();
        int start = Math.max(first, firsts[panel]);
        int next = Math.min(end, firsts[panel + 1]);
        if (kept
                && format.bits() == Short.SIZE
                && next - start == firsts[panel + 1] - firsts[panel]) {
            keepHalves(panel, (BlockMatrix) rows, start - first, next - 1 - first);
            return;
        }
        var block = new WeightBlock();
        var numbers = new float[columns];
        for (int output = start; output < next; output++) {
            int row = output - first;
            if (kept && !format.plain()) {
                for (int index = 0; index * format.columns() < columns; index++) {
                    rows.read(row, index, block);
                    format.keep(block, memory, place(panel, index), output - firsts[panel]);
                }
            } else {
                requireRoom(rows, row, numbers);
                pack(output, output + 1, MemorySegment.ofArray(numbers), 0);
            }
        }
    }

    private static void requireRoom(FileMatrix rows, int row, float[] numbers) {
        rows.numbers(row, numbers);
        Precision.F32.requireRoom(
                MemorySegment.ofArray(numbers), "row %d of %s".formatted(row, rows.name()));
    }

    /// Stores all outputs of a panel in the 16-bit numbers of a file.
    private void keepHalves(int panel, BlockMatrix rows, int first, int last) {
        var some = new short[PANEL][PACKED];
        var data =
                IntStream.rangeClosed(first, last).mapToObj(row -> rows.row(row).data()).toList();
        if (data.stream().allMatch(Zeros::in)) {
            return;
        }
        boolean finite = true;
        for (int start = 0; start < columns; start += PACKED) {
            int count = Math.min(PACKED, columns - start);
            for (int lane = 0; lane < data.size(); lane++) {
                MemorySegment.copy(
                        data.get(lane), HALF, (long) start * Short.BYTES, some[lane], 0, count);
            }
            finite &= blocks[panel].keepHalves(some, count, memory, from(panel, start));
        }
        if (!finite) {
            for (int row = first; row <= last; row++) {
                requireRoom(rows, row, new float[columns]);
            }
        }
    }

    @Override
    public void read(int output, float[] into, int at) {
        int panel = panel(output);
        var format = blocks[panel];
        int width = format.columns();
        for (int column = 0; column < columns; column++) {
            long block = place(panel, column / width);
            into[at + column] =
                    format.number(memory, block, output - firsts[panel], column % width);
        }
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        var tiles = x.tiled(workspace, exactTiles);
        workspace
                .team()
                .run(
                        count(),
                        (worker, from, end) ->
                                multiply(
                                        tiles, y, from, end, 0, columns, workspace.scales(worker)));
    }

    /// Multiplies rows by some columns of some panels.
    ///
    /// @param y      `[rows of the tiles, stride()]`
    /// @param column the first column, a multiple of a block's columns
    /// @param width  number of columns
    /// @param scales memory of the thread for scales
    void multiply(
            TiledRows x,
            float[] y,
            int firstPanel,
            int endPanel,
            int column,
            int width,
            Scales scales) {
        int panel = firstPanel;
        while (panel < endPanel) {
            if (formats[panel].unpacked(x.tiles())) {
                for (int start = 0; start < width; start += STRIP) {
                    int some = Math.min(STRIP, width - start);
                    multiplyStrip(x, y, panel, column + start, some, scales, start > 0);
                }
                panel++;
                continue;
            }
            int count = alike(panel, Math.min(endPanel, panel + AT_ONCE));
            long from = from(panel, column);
            long size = bytes(blocks[panel]);
            var unpacked =
                    scales.of(formats[panel], blocks[panel], memory, from, size, count, width);
            for (int tile = 0; tile < x.tiles(); tile++) {
                formats[panel]
                        .tiles(x.height(tile))
                        .multiply(
                                memory,
                                from,
                                size,
                                count,
                                unpacked,
                                x.numbers(),
                                x.offset(tile) + column * x.height(tile),
                                y,
                                x.firstRow(tile) * stride() + panel * PANEL,
                                stride(),
                                width);
            }
            panel += count;
        }
    }

    /// Multiplies rows by columns of one panel.
    private void multiplyStrip(
            TiledRows x, float[] y, int panel, int column, int width, Scales scales, boolean adds) {
        var format = formats[panel];
        var strip = scales.strip();
        long from = from(panel, column);
        var unpacked = scales.of(format, blocks[panel], memory, from, 0, 1, width);
        format.unpacker().unpack(memory, from, unpacked, width, strip);
        for (int tile = 0; tile < x.tiles(); tile++) {
            int at = x.offset(tile) + column * x.height(tile);
            int to = x.firstRow(tile) * stride() + panel * PANEL;
            OF_STRIPS
                    .get(x.height(tile))
                    .multiplyStrip(strip, x.numbers(), at, y, to, stride(), width, adds);
        }
    }

    /// Returns the number of consecutive panels with the same format.
    private int alike(int panel, int end) {
        int next = panel + 1;
        while (next < end && formats[next] == formats[panel]) {
            next++;
        }
        return next - panel;
    }

    /// Calls a function with a new arena, which is closed if the function fails.
    static <T> T owned(Function<Arena, T> maker) {
        var arena = Arena.ofShared();
        return Undo.onFailure(arena::close, () -> maker.apply(arena));
    }

    /// Computes scales of a format.
    interface ScaleReader {
        /// Computes the scales of a panel's first groups.
        ///
        /// @param from start of the panel
        /// @param into receives `[groups, rows of scales, PANEL]`
        void read(MemorySegment memory, long from, int groups, float[] into, int at);
    }

    /// Scales of the panels that are multiplied next. Reused; each thread has its own.
    ///
    /// They are computed before the loops over columns, not inside them. For some formats the code is so large that the compiler
    /// would not inline it into the loop, and a call there allocates an object for every vector.
    static final class Scales {
        private final GrowingMemory strip = new GrowingMemory();
        private float[] numbers = new float[0];

        /// Returns memory for the numbers of a strip.
        MemorySegment strip() {
            return strip.of((long) STRIP * PANEL * Float.BYTES);
        }

        /// Computes the scales.
        ///
        /// @param format  its order of codes
        /// @param from    first byte of the first panel
        /// @param size    bytes of a panel
        /// @param columns number of columns that are multiplied
        /// @return the scales in the form of [Tiles#multiply], valid until the next call
        float[] of(
                PanelFormat kept,
                BlockFormat format,
                MemorySegment memory,
                long from,
                long size,
                int panels,
                int columns) {
            if (format.scaleRows() == 0 || format.scalesWithCodes()) {
                return numbers;
            }
            int groups = Math.ceilDiv(columns, format.group());
            int each = groups * format.scaleRows() * Lanes.PANEL;
            if (numbers.length < panels * each) {
                numbers = new float[panels * each];
            }
            for (int panel = 0; panel < panels; panel++) {
                kept.scales().read(memory, from + panel * size, groups, numbers, panel * each);
            }
            return numbers;
        }
    }
}
