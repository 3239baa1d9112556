package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.nn.jit.Assembler;
import dev.outrider.nn.jit.NativeCode;
import dev.outrider.nn.vector.IntegerTiles.Sums;
import dev.outrider.nn.vector.KernelRows.Order;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/// Machine code for the products of [IntegerTiles], by [VnniWriter], [PairsWriter] or [BytesWriter]. The sums of integers are
/// exact, and floats are computed in the same order as there, so the bits are the same.
///
/// @param functions of two panels, of one each, or of a half each: as many sums as registers hold. Two panels at once are two
///                  streams of memory, which are read faster than one
record IntegerKernel(List<MethodHandle> functions) {
    /// Registers of sums, of halves of panels; with [PairsWriter] of panels.
    private static final int SUMS = 8;

    /// Numbers from the scales of the first panel to those of the second.
    static final int SCALES = 16 * 2 * PANEL;

    /// Numbers of the memory of a kernel: scales of both panels, and a vector for each register of sums.
    private static final int SCRATCH = 2 * SCALES + SUMS * Lanes.WIDTH;

    /// Columns that all rows are multiplied by before the next ones, so that levels of eight rows stay in the first-level
    /// cache; a multiple of every block's. Fewer would take more calls, each of which keeps the matrix from closing.
    private static final int CHUNK = 1024;

    /// What is added to signed codes.
    static final int CENTRE = 1 << Byte.SIZE - 1;

    private static final boolean WIDE =
            VectorMachine.kernelsWanted()
                    && Lanes.BYTES == Assembler.AVX_512
                    && NativeCode.runs(List.of("avx512f", "avx512bw"));
    private static final boolean VNNI =
            WIDE && VectorMachine.allKernels() && NativeCode.runs(List.of("avx512_vnni"));
    private static final boolean FIELDS = VNNI && NativeCode.runs(List.of("avx512vbmi"));
    private static final boolean NARROW =
            VectorMachine.kernelsWanted()
                    && Lanes.BYTES == Assembler.AVX2
                    && NativeCode.runs(List.of("avx2", "fma", "f16c"));

    /// How often the sums of codes without scales have the sum of a row's levels too.
    static final int EXCESS = VNNI ? CENTRE : 0;

    /// Returns what multiplies integers.
    static String name() {
        if (FIELDS || NARROW) {
            return FIELDS ? "AVX-512 VNNI" : "AVX2";
        }
        if (VNNI) {
            return "AVX-512 VNNI for 8 bits, AVX-512 for fewer";
        }
        return WIDE ? "AVX-512, and Java's vector code for 8 bits" : VectorMachine.JAVA;
    }

    /// Returns whether kernels for a format run here.
    static boolean runs(BlockFormat format) {
        return format.bits() == Byte.SIZE ? VNNI || NARROW : WIDE || NARROW;
    }

    /// Returns the order of rows for a format's kernels.
    static Order order(BlockFormat format) {
        return format.bits() == Byte.SIZE || FIELDS ? Order.FOURS : Order.PAIRS;
    }

    /// Multiplies rows by two panels, which have the same format.
    ///
    /// @param first  index of the first panel
    /// @param second index of the second panel, which may be the first one
    /// @param sums   memory of the thread
    /// @return the products `[rows, 2, PANEL]`, 32-bit floats, in memory of the thread; for levels without scales the sums of
    ///         codes plus [#EXCESS] times levels, 32-bit integers
    static MemorySegment products(Panels panels, int first, int second, KernelRows x, Sums sums) {
        var kept = panels.format(first);
        var format = kept.integers();
        int columns = Lanes.roundedUp(panels.columns(), format.columns());
        if (columns > x.columns()) {
            throw new IllegalArgumentException("%d columns of %d".formatted(columns, x.columns()));
        }
        int count = x.rows() * 2 * PANEL;
        var memory = sums.memory(count + SCRATCH);
        long bytes = (long) count * Float.BYTES;
        memory.asSlice(0, bytes).fill((byte) 0);
        var scales = memory.asSlice(bytes);
        for (int column = 0; column < columns; column += CHUNK) {
            int blocks = Math.min(CHUNK, columns - column) / format.columns();
            long size = blocks * format.bytes();
            var codes = panels.memory().asSlice(panels.from(first, column), size);
            var others = panels.memory().asSlice(panels.from(second, column), size);
            for (int tile = 0; tile < x.tiles(); tile++) {
                long to = (long) x.firstRow(tile) * 2 * PANEL * Float.BYTES;
                kept.kernel(x.height(tile))
                        .multiply(
                                codes,
                                others,
                                x.levels(tile, column),
                                scales,
                                memory.asSlice(to),
                                blocks);
            }
        }
        return memory;
    }

    /// Returns the kernel for a format and a number of rows.
    static IntegerKernel of(BlockFormat format, int rows) {
        boolean pairs = order(format) == Order.PAIRS;
        int together = Integer.highestOneBit(Math.min((pairs ? 2 : 1) * SUMS / rows, 4));
        var functions = new ArrayList<MethodHandle>();
        for (int part = 0; part < 4; part += together) {
            KernelWriter writer;
            if (pairs) {
                writer = new PairsWriter(format, rows, part, together);
            } else if (VNNI) {
                writer = new VnniWriter(format, rows, part, together);
            } else {
                writer = new BytesWriter(format, rows, part, together);
            }
            functions.add(writer.function());
        }
        return new IntegerKernel(functions);
    }

    /// Adds the products of two panels' columns. Their memory cannot be closed meanwhile.
    ///
    /// @param first    columns of the first panel
    /// @param second   columns of the second panel
    /// @param levels   as in [KernelRows#levels]
    /// @param scales   memory of `SCRATCH` numbers
    /// @param products `[rows, 2, PANEL]`
    /// @param blocks   number of blocks
    void multiply(
            MemorySegment first,
            MemorySegment second,
            MemorySegment levels,
            MemorySegment scales,
            MemorySegment products,
            long blocks) {
        try {
            for (var function : functions) {
                function.invokeExact(first, second, levels, scales, products, blocks);
            }
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
