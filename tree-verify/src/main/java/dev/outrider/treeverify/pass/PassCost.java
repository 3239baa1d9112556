package dev.outrider.treeverify.pass;

import dev.outrider.common.Require;
import dev.outrider.nn.network.Experts;
import dev.outrider.treeverify.pass.ProgramShape.DeviceMatrix;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The cost of one pass on a device, counted from the sizes of its kernels; no device is needed. The rows are a chain, and
/// each gets logits.
///
/// The rows that projections read and write are not counted, because they are in a device's own caches.
///
/// @param graphs  graphs of the program; the host waits for the end of each
/// @param kernels the work of the kernels, by the kind of data that they read or write most; one element for each kind
public record PassCost(int graphs, List<Kernels> kernels) {
    /// Rows that a projection multiplies by its weights at a time, including padding if the pass has fewer, and outputs of a group.
    public static final int TILE = 8;

    /// Instructions that decode a packed weight: [HalfMatrix#significand], or [QuantizedLayout#level] with a share of the scale's.
    static final int DECODING = 7;

    /// How many times as many bytes attention reads from the device's caches as from memory in the same time: at 7B on the H100,
    /// behind 4,000 rows, the cache took 5 ms for 8 rows, 44 for 64.
    static final double CACHED = 3.2;

    /// Kinds of data.
    public enum Data {
        /// Rows of a pass, in the kernels for moves, embedding and norms.
        ROWS,

        /// Matrices, with their decoding and multiplication. They are read from memory again for each tile of rows, because no
        /// cache is large enough.
        WEIGHTS,

        /// Keys and values. Rows and query heads read them at the same time: from memory once, and from the device's caches once
        /// for each row and head. Counted as the bytes of memory that take as long.
        CACHE,

        /// Results of attention's chunks, written once and read once.
        CHUNKS,

        /// Logits, which are written by the kernel that reads the head's weights.
        LOGITS
    }

    /// Kernels of one kind of data.
    ///
    /// @param launches   number of kernels
    /// @param bytes      bytes that they read or write
    /// @param operations multiply-adds, and instructions that decode weights
    public record Kernels(Data data, int launches, long bytes, long operations) {}

    public PassCost {
        kernels = List.copyOf(kernels);
    }

    /// Returns the cost of a pass.
    ///
    /// @param shape   shape of the program
    /// @param context committed rows
    /// @param rows    rows of the pass, at most the program's maximum
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
        long norms = IntStream.range(0, layers).mapToLong(shape::normKernels).sum() + 1;
        long normed = norms * hidden + headNorms * shape.queryKeyValueOutputs();
        var matrices = shape.multiplying();
        long tiles = Math.ceilDiv(rows, TILE);
        long words = tiles * matrices.stream().mapToLong(DeviceMatrix::words).sum();
        long instructions = tiles * matrices.stream().mapToLong(PassCost::instructions).sum();
        long multiplied = 0;
        long different = 0;
        long chunks = 0;
        for (int layer = 0; layer < layers; layer++) {
            if (config.sparse(layer)) {
                double fewer = tiles - readsOfExperts(shape.experts().form().orElseThrow(), rows);
                for (var matrix : List.of(shape.gateUp(layer), shape.down(layer))) {
                    words -= (long) (fewer * matrix.words());
                    instructions -= (long) (fewer * instructions(matrix));
                }
            }
            int window = config.window(layer).orElse(shape.mostKeys());
            var keys =
                    IntStream.rangeClosed(1, rows)
                            .mapToLong(row -> Math.min(context + row, window));
            var seen = keys.toArray();
            multiplied += LongStream.of(seen).sum();
            different += Math.min(context + rows, window + rows - 1L);
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
        long cached =
                (long) Math.max(2 * different * shape.cacheWidth(), attended / CACHED)
                        * Float.BYTES;
        return new PassCost(
                GraphParts.of(shape, GraphParts.NO_LIMIT).size(),
                List.of(
                        new Kernels(
                                Data.ROWS,
                                (int) (2 + norms + headNorms) + 3 * shape.experts().sparseLayers(),
                                2 * rows * normed * Float.BYTES,
                                rows * normed),
                        new Kernels(
                                Data.WEIGHTS, matrices.size(), words * Integer.BYTES, instructions),
                        new Kernels(Data.CACHE, layers, cached, attended),
                        new Kernels(
                                Data.CHUNKS,
                                reductions,
                                2 * chunks * config.heads() * shape.chunkResult() * Float.BYTES,
                                chunks * shape.queryWidth()),
                        new Kernels(
                                Data.LOGITS, 0, (long) rows * shape.logits() * Float.BYTES, 0)));
    }

    /// Returns how often the weights of an expert are read, the mean if rows choose at random.
    private static double readsOfExperts(Experts experts, int rows) {
        double share = (double) experts.chosen() / experts.count();
        double active = 1 - Math.pow(1 - share, rows);
        return active * Math.ceil(rows * share / active / TILE);
    }

    /// Returns the instructions that multiply a tile of rows by a matrix, including the padding of its rows.
    private static long instructions(DeviceMatrix matrix) {
        int form = matrix.form();
        long numbers =
                (long) matrix.rows()
                        * QuantizedLayout.numbered(form, matrix.size())
                        * QuantizedLayout.parts(form);
        return numbers * (TILE + (form == Float.SIZE ? 0 : DECODING));
    }

    /// Returns the number of kernels of a pass.
    public int launches() {
        return kernels.stream().mapToInt(Kernels::launches).sum();
    }

    /// Returns the multiply-adds, plus the instructions that decode weights.
    public long operations() {
        return kernels.stream().mapToLong(Kernels::operations).sum();
    }

    /// Returns the bytes of one kind of data.
    public long bytes(Data data) {
        return kernels.stream().filter(each -> each.data() == data).mapToLong(Kernels::bytes).sum();
    }
}
