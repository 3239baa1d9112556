package dev.outrider.treeverify.pass;

import dev.outrider.common.Require;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// What one pass asks of a device, counted from the sizes of its kernels; no device is needed. The rows are a chain, and
/// every one gets logits.
///
/// Not counted are the rows that projections read and write: they come from a device's own caches.
///
/// @param graphs  graphs of the program; the host waits for the end of each
/// @param kernels what the kernels do, by the data that they read or write most; one for each kind
public record PassCost(int graphs, List<Kernels> kernels) {
    /// Rows for which a projection multiplies its weights at a time, those that a pass does not have included.
    static final int TILE = 8;

    /// Instructions that decode a packed weight ([HalfMatrix#significand], [LevelMatrix#level] with its share of a scale).
    static final int DECODING = 7;

    /// Kinds of data.
    public enum Data {
        /// Rows of a pass: moves, embedding, norms.
        ROWS,

        /// Matrices, with what decodes and multiplies them. They are read from memory again for each tile of rows, as no cache holds them.
        WEIGHTS,

        /// Keys and values. Attention reads them once for each row and each query head that sees them.
        CACHE,

        /// Results of attention's chunks, written once and read once.
        CHUNKS,

        /// Logits, written by the kernel that reads the head's weights.
        LOGITS
    }

    /// Kernels of one kind of data.
    ///
    /// @param launches   how many kernels
    /// @param bytes      bytes that they read or write
    /// @param operations multiply-adds, and instructions that decode weights
    public record Kernels(Data data, int launches, long bytes, long operations) {}

    public PassCost {
        kernels = List.copyOf(kernels);
    }

    /// Counts a pass.
    ///
    /// @param shape   the program's
    /// @param context committed rows
    /// @param rows    rows of the pass, at most the program's
    public static PassCost of(ProgramShape shape, int context, int rows) {
        Require.that(
                rows >= 1 && rows <= shape.maxRows() && context + rows <= shape.mostKeys(),
                "%d rows behind %d do not fit a program of %d rows and %d keys",
                rows,
                context,
                shape.maxRows(),
                shape.mostKeys());
        var config = shape.config();
        int layers = config.layers();
        long hidden = config.hiddenSize();
        long headNorms = config.queryKeyNorm() ? layers : 0;
        long norms = (long) shape.normsOfLayer() * layers + 1;
        long normed = norms * hidden + headNorms * shape.queryKeyValueOutputs();
        var matrices = shape.multiplying();
        long words = matrices.stream().mapToLong(DeviceMatrix::words).sum();
        long instructions = matrices.stream().mapToLong(PassCost::instructions).sum();
        long tiles = Math.ceilDiv(rows, TILE);
        long multiplied = 0;
        long chunks = 0;
        for (int layer = 0; layer < layers; layer++) {
            int window = config.window(layer).orElse(shape.mostKeys());
            var keys =
                    IntStream.rangeClosed(1, rows)
                            .mapToLong(row -> Math.min(context + row, window));
            var seen = keys.toArray();
            multiplied += LongStream.of(seen).sum();
            chunks +=
                    LongStream.of(seen)
                            .map(count -> Math.ceilDiv(count, shape.keyChunk()))
                            .filter(count -> count > 1)
                            .sum();
        }
        int reductions =
                (int)
                        IntStream.range(0, layers)
                                .filter(layer -> shape.keyChunks(layer) > 1)
                                .count();
        long attended = 2 * multiplied * shape.queryWidth();
        return new PassCost(
                GraphParts.of(shape, GraphParts.NO_LIMIT).size(),
                List.of(
                        new Kernels(
                                Data.ROWS,
                                (int) (2 + norms + headNorms),
                                2 * rows * normed * Float.BYTES,
                                rows * normed),
                        new Kernels(
                                Data.WEIGHTS,
                                4 * layers + 1,
                                tiles * words * Integer.BYTES,
                                tiles * instructions),
                        new Kernels(Data.CACHE, layers, attended * Float.BYTES, attended),
                        new Kernels(
                                Data.CHUNKS,
                                reductions,
                                2 * chunks * config.heads() * shape.chunkResult() * Float.BYTES,
                                chunks * shape.queryWidth()),
                        new Kernels(
                                Data.LOGITS,
                                0,
                                (long) rows * config.vocabularySize() * Float.BYTES,
                                0)));
    }

    /// What multiplies a tile of rows by a matrix, what fills up its rows included.
    private static long instructions(DeviceMatrix matrix) {
        int form = matrix.form();
        long numbers =
                (long) matrix.rows()
                        * LevelMatrix.numbered(form, matrix.size())
                        * LevelMatrix.parts(form);
        return numbers * (TILE + (form == Float.SIZE ? 0 : DECODING));
    }

    /// Kernels of a pass.
    public int launches() {
        return kernels.stream().mapToInt(Kernels::launches).sum();
    }

    /// Bytes read and written.
    public long bytes() {
        return kernels.stream().mapToLong(Kernels::bytes).sum();
    }

    /// Multiply-adds, with the instructions that decode weights.
    public long operations() {
        return kernels.stream().mapToLong(Kernels::operations).sum();
    }

    /// Bytes of one kind of data.
    public long bytes(Data data) {
        return kernels.stream().filter(each -> each.data() == data).mapToLong(Kernels::bytes).sum();
    }
}
