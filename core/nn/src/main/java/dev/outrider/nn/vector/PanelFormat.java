package dev.outrider.nn.vector;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.FileMatrix.BlockMatrix;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.checkpoint.PackedMatrix;
import dev.outrider.nn.checkpoint.TensorType;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.vector.BlockFormat.Kind;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.Panels.ScaleReader;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Tiles.Tile;
import dev.outrider.nn.vector.Tiles.Unpacker;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// A format of panels, and the loops that multiply by them, which are defined once.
enum PanelFormat {
    F32(new BlockFormat(Kind.F32, 32, 32)),
    BF16(new BlockFormat(Kind.BF16, 16, 32)),
    F16(new BlockFormat(Kind.F16, 16, 32)),
    INT8(new BlockFormat(Kind.SIGNED, 8, 32)),
    INT4(GgufType.Q4_0, 4, 8),
    LEVELS(new BlockFormat(Kind.BYTE, 8, 32)),
    Q4_1(GgufType.Q4_1, 4, 0),
    Q5_0(GgufType.Q5_0, 5, 16),
    Q5_1(GgufType.Q5_1, 5, 0),
    Q2_K(GgufType.Q2_K, 4, 0),
    Q3_K(GgufType.Q3_K, 4, 4),
    Q4_K(GgufType.Q4_K, 4, 0),
    Q5_K(GgufType.Q5_K, 5, 0),
    Q6_K(GgufType.Q6_K, 6, 32),
    NIBBLE_32(new BlockFormat(Kind.POINT, 4, 32)),
    NIBBLE_64(new BlockFormat(Kind.POINT, 4, 64)),
    NIBBLE_128(new BlockFormat(Kind.POINT, 4, 128)),
    BYTE_32(new BlockFormat(Kind.POINT, 8, 32)),
    BYTE_64(new BlockFormat(Kind.POINT, 8, 64)),
    BYTE_128(new BlockFormat(Kind.POINT, 8, 128)),
    E4M3_32(new BlockFormat(Kind.E4M3, 8, 32)),
    E4M3_64(new BlockFormat(Kind.E4M3, 8, 64)),
    E4M3_128(new BlockFormat(Kind.E4M3, 8, 128)),
    MXFP4(new BlockFormat(Kind.E2M1, 4, 32));

    /// Columns of the panel that [#rehearse] uses, and its number of repetitions: enough for the compiler to collect a profile.
    private static final int REHEARSED = 64;

    private static final int CALLS = 150;

    private final BlockFormat blocks;
    private final Tiles[] tiles = new Tiles[Lanes.EXACT_TILE + 1];
    private @Nullable ScaleReader scales;
    private @Nullable Unpacker unpacker;
    private final Optional<BlockFormat> integers;
    private final @Nullable IntegerTiles[] integerTiles = new IntegerTiles[Integer.SIZE];
    private final @Nullable IntegerKernel[] kernels = new IntegerKernel[KernelRows.TILE + 1];
    private boolean rehearsed;
    private boolean integersRehearsed;

    /// @param bits bits of a code
    /// @param zero code of level 0
    PanelFormat(GgufType type, int bits, int zero) {
        this(
                new BlockFormat(
                        type.offsets() ? Kind.OFFSET : Kind.FIXED,
                        bits,
                        type.group(),
                        type.groups(),
                        zero,
                        false));
    }

    PanelFormat(BlockFormat blocks) {
        this.blocks = blocks;
        integers = blocks.forIntegers();
    }

    /// Returns the format that stores a file's numbers without a change, if there is one.
    static Optional<PanelFormat> of(TensorType type) {
        return switch (type) {
            case F32 -> Optional.of(F32);
            case BF16 -> Optional.of(BF16);
            case F16 -> Optional.of(F16);
            case Q8_0 -> Optional.of(INT8);
            case Q4_0 -> Optional.of(INT4);
            case Q4_1, Q5_0, Q5_1, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, MXFP4 ->
                    Optional.of(valueOf(type.name()));
            default -> Optional.empty();
        };
    }

    /// Returns the format that stores a file's matrix without a change, if there is one.
    static Optional<PanelFormat> of(FileMatrix matrix) {
        return switch (matrix) {
            case BlockMatrix blocks -> of(blocks.type());
            case PackedMatrix packed ->
                    Optional.of(packed.levels() == Levels.EIGHT_BITS ? INT8 : INT4);
            case GroupedMatrix groups ->
                    Optional.of(
                            groups.kind() == GroupedMatrix.Kind.E2M1
                                    ? MXFP4
                                    : valueOf("%s_%d".formatted(groups.kind(), groups.block())));
        };
    }

    /// Returns the format of a cache.
    static PanelFormat of(CachePrecision caches) {
        return switch (caches) {
            case F32 -> F32;
            case BF16 -> BF16;
            case INT8 -> LEVELS;
        };
    }

    /// Returns the bits of a number, scales included.
    double bits() {
        return (double) blocks.bytes() * Byte.SIZE / ((long) blocks.columns() * Lanes.PANEL);
    }

    /// Runs every loop over a small panel, once per process, until the compiler has a profile of it. Without this, the compiler
    /// may compile a loop without a profile; the loop then allocates an object for every vector and stays four times slower.
    synchronized void rehearse() {
        if (rehearsed) {
            return;
        }
        rehearsed = true;
        if (unpacked(Integer.MAX_VALUE)) {
            var into = new Scales().strip();
            unpacker = Unpacker.of(blocks);
            rehearse((memory, made) -> unpacker().unpack(memory, 0, made, REHEARSED, into));
        }
        if (FloatTiles.runs(blocks)) {
            Arrays.setAll(tiles, rows -> new FloatTiles(blocks, rows));
            return;
        }
        for (int rows = 1; rows <= Lanes.TILE; rows *= 2) {
            tiles[rows] = Tiles.of(blocks, rows);
            rehearse(rows);
        }
    }

    private void rehearse(int rows) {
        var x = new float[rows * REHEARSED];
        var y = new float[rows * Lanes.PANEL];
        var loops = tiles(rows);
        long size = rehearsedBytes();
        rehearse((memory, made) ->
                loops.multiply(memory, 0, size, 1, made, x, 0, y, 0, Lanes.PANEL, REHEARSED));
    }

    private long rehearsedBytes() {
        return blocks.bytes() * Math.ceilDiv(REHEARSED, blocks.columns());
    }

    private void rehearse(BiConsumer<MemorySegment, float[]> loops) {
        try (var arena = Arena.ofConfined()) {
            long size = rehearsedBytes();
            var memory = GrowingMemory.allocate(arena, size + Panels.BEYOND);
            var scales = new Scales();
            for (int call = 0; call < CALLS; call++) {
                var read = scales.of(this, blocks, memory, 0, size, 1, REHEARSED);
                loops.accept(memory, read);
            }
        }
    }

    /// Returns the layout of its numbers.
    BlockFormat blocks() {
        return blocks;
    }

    /// Returns its loops for 1, 2, 4 or 8 rows, or for any number up to [Lanes#EXACT_TILE] where kernels run; [#rehearse] was
    /// called before.
    Tiles tiles(int rows) {
        return tiles[rows];
    }

    /// Returns whether its numbers are computed once, strip by strip, before a number of tiles is multiplied by them. Fewer tiles
    /// are enough for formats with more work per number, and for tiles of fewer rows.
    boolean unpacked(int tiles) {
        boolean simple = blocks.bits() == BlockFormat.NIBBLE_BITS && blocks.kind() != Kind.E2M1;
        boolean floats = blocks.kind() == Kind.E2M1 || blocks.kind() == Kind.E4M3;
        int fewest = Lanes.TILE == 4 ? simple ? 4 : 2 : floats ? 2 : 8;
        return !blocks.plain() && FloatTiles.runs(F32.blocks) && tiles >= fewest;
    }

    /// Returns the tiles that compute its numbers; [#rehearse] was called before.
    Unpacker unpacker() {
        return Objects.requireNonNull(unpacker);
    }

    /// Runs every loop for integers over two small panels, like [#rehearse].
    synchronized void rehearseIntegers() {
        if (integersRehearsed) {
            return;
        }
        integersRehearsed = true;
        var format = integers();
        if (IntegerKernel.runs(format)) {
            return;
        }
        try (var arena = Arena.ofConfined()) {
            int columns = Lanes.roundedUp(REHEARSED, format.columns());
            long from = Panels.BEFORE;
            long size = format.bytes() * (columns / format.columns());
            var memory = GrowingMemory.allocate(arena, from + size + Panels.BEYOND);
            var scales = new Scales();
            var sums = new Sums();
            var products = new float[2 * RoundedRows.TILE * Lanes.PANEL];
            var x = new float[RoundedRows.TILE * columns];
            for (int rows = 1; rows <= RoundedRows.TILE; rows *= 2) {
                var input = new InputRows();
                input.take(x, 0, columns, rows, columns);
                var rounded = input.rounded();
                rounded.take(input.levels(RoundedRows.BLOCK), true, true);
                var loops = integerTiles(rows);
                for (int call = 0; call < CALLS; call++) {
                    var unpacked = scales.of(this, format, memory, from, 0, 2, columns);
                    loops.multiply(memory, from, from, rounded, 0, 0, columns, sums);
                    if (!format.plain()) {
                        loops.scaling().scale(sums, unpacked, rounded, 0, 0, columns, products, 0);
                    }
                }
            }
        }
    }

    /// Returns the object that computes its scales, for every order of its codes.
    ScaleReader scales() {
        var made = scales;
        if (made == null) { // a class is not made for formats that nobody uses
            made = (ScaleReader) Tiles.define("FormatScales.class", new Tile(blocks, 1));
            scales = made;
        }
        return made;
    }

    /// Returns the layout of its numbers for products of integers, if there is one.
    Optional<BlockFormat> forIntegers() {
        return integers;
    }

    /// Returns the layout for products of integers.
    BlockFormat integers() {
        return integers.orElseThrow();
    }

    /// Returns its kernel for at most [KernelRows#TILE] rows, where kernels run.
    IntegerKernel kernel(int rows) {
        var kernel = kernels[rows];
        if (kernel == null) { // Threads may make it twice.
            kernel = IntegerKernel.of(integers(), rows);
            kernels[rows] = kernel;
        }
        return kernel;
    }

    /// Returns its loops for integers and 1, 2, 4 or 8 rows; [#rehearseIntegers] was called before.
    IntegerTiles integerTiles(int rows) {
        int index = Integer.numberOfTrailingZeros(rows);
        var loops = integerTiles[index];
        if (loops == null) { // Threads may make it twice.
            loops = IntegerTiles.of(integers(), rows);
            integerTiles[index] = loops;
        }
        return loops;
    }
}
