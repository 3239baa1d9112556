package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.FLOATS;
import static dev.outrider.nn.vector.Lanes.WIDTH;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.integers.IntegerProducts;
import dev.outrider.nn.integers.IntegerProducts.IntegerMatrix;
import dev.outrider.nn.vector.Attention.Scratch;
import dev.outrider.nn.vector.Panels.Scales;
import dev.outrider.nn.vector.Rows.InputRows;
import dev.outrider.nn.vector.Rows.LevelRows;
import dev.outrider.nn.vector.Rows.TiledRows;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;
import java.util.ServiceLoader;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import org.slf4j.LoggerFactory;

/// A matrix in eight bits that multiplies rows in eight bits. An output has a scale, which is its greatest magnitude divided by
/// 127, and a level for each weight. Products are sums of integers, times the scales of row and output.
///
/// @see "Dettmers et al. 2022 (LLM.int8()), section 3: vector-wise quantisation"
public final class QuantizedMatrix implements Matrix {
    private final int outputs;
    private final int columns;
    private final float[] scales;
    private final IntegerMatrix levels;
    private int filled;

    QuantizedMatrix(IntegerProducts products, int outputs, int columns, Arena arena) {
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
    public boolean zeroed() {
        return false;
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
        var numbers = new byte[columns];
        levels.read(output, numbers);
        for (int column = 0; column < columns; column++) {
            into[at + column] = numbers[column] * scales[output];
        }
    }

    @Override
    public void multiply(InputRows x, float[] y, Workspace workspace) {
        var rows = x.levels(columns);
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
                                        rows.scale(row, 0),
                                        levels.firstOutput(first),
                                        to);
                            }
                        });
    }

    /// Computes products from sums.
    private void scale(MemorySegment sums, float[] y, int at, float scale, int first, int end) {
        // Until the next loop, `y` has the bits of integers, without a conversion.
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

    /// Computes products of integers in Java's vector code. Sums of up to 1024 products of two levels are exact in a float; these
    /// sums are then added as integers.
    public static final class PanelIntegers implements IntegerProducts {
        /// Columns of a sum that is exact in a float: 1024 * 127 * 127 < 2^24.
        private static final int EXACT = 1024;

        /// Outputs of a part.
        private static final int MULTIPLE = 64;

        /// Makes an object for all matrices.
        public PanelIntegers() {}

        @Override
        public String name() {
            return "Java's vector code";
        }

        @Override
        public IntegerMatrix matrix(int outputs, int columns, Arena arena) {
            return new PanelMatrix(new Panels(PanelFormat.LEVELS, outputs, columns, arena));
        }

        private static final class PanelMatrix implements IntegerMatrix {
            private static final ThreadLocal<Scratch> SCRATCH =
                    ThreadLocal.withInitial(Scratch::new);

            private final Panels panels;
            private int filled;

            PanelMatrix(Panels panels) {
                this.panels = panels;
            }

            @Override
            public void add(byte[] levels) {
                var numbers = SCRATCH.get().row(levels.length);
                for (int column = 0; column < levels.length; column++) {
                    numbers[column] = levels[column];
                }
                long bytes = (long) levels.length * Float.BYTES;
                panels.fill(filled++, MemorySegment.ofArray(numbers).asSlice(0, bytes));
            }

            @Override
            public void read(int output, byte[] levels) {
                var numbers = new float[levels.length];
                panels.read(output, numbers, 0);
                for (int column = 0; column < levels.length; column++) {
                    levels[column] = (byte) numbers[column];
                }
            }

            @Override
            public int parts() {
                return Math.ceilDiv(panels.count(), perPart());
            }

            private static int perPart() {
                return Math.ceilDiv(MULTIPLE, Lanes.PANEL);
            }

            @Override
            public int firstOutput(int part) {
                return Math.min(panels.outputs(), part * perPart() * Lanes.PANEL);
            }

            @Override
            public void multiply(
                    MemorySegment x, int rows, MemorySegment sums, int stride, int first, int end) {
                int firstPanel = first * perPart();
                int endPanel = Math.min(panels.count(), end * perPart());
                int from = firstPanel * Lanes.PANEL;
                int to = endPanel * Lanes.PANEL;
                var scratch = SCRATCH.get();
                var tiles = scratch.take(x, rows, panels.columns());
                var products = scratch.products(tiles.paddedRows() * panels.stride());
                int[] exact = scratch.sums(rows * panels.stride());
                Arrays.fill(exact, 0, rows * panels.stride(), 0);
                for (int column = 0; column < panels.columns(); column += EXACT) {
                    int count = Math.min(EXACT, panels.columns() - column);
                    panels.multiply(
                            tiles, products, firstPanel, endPanel, column, count, scratch.scales);
                    for (int row = 0; row < rows; row++) {
                        int at = row * panels.stride();
                        add(products, exact, at + from, at + to);
                    }
                }
                for (int row = 0; row < rows; row++) {
                    long place = ((long) row * stride + from) * Integer.BYTES;
                    int at = row * panels.stride() + from;
                    MemorySegment.copy(exact, at, sums, ValueLayout.JAVA_INT, place, to - from);
                }
            }

            private static void add(float[] products, int[] sums, int first, int end) {
                for (int at = first; at < end; at++) {
                    sums[at] += (int) products[at];
                }
            }
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

    /// The implementation of products of integers in this process: a library if one works on this machine, otherwise Java's
    /// vector code.
    static final class IntegerEngine {
        /// The property that chooses the implementation: `auto`, or `java` alone.
        static final String PROPERTY = "outrider.integers";

        private static Optional<IntegerProducts> best = Optional.empty();

        private IntegerEngine() {}

        /// Returns the first implementation that works on this machine. The search runs once.
        static synchronized IntegerProducts best() {
            if (best.isEmpty()) {
                best = Optional.of(find(System.getProperty(PROPERTY, "auto")));
            }
            return best.get();
        }

        static IntegerProducts find(String wanted) {
            return switch (wanted) {
                case "java" -> new PanelIntegers();
                case "auto" -> library();
                default ->
                        throw new OutriderException(
                                ErrorCode.CONFIG_INVALID,
                                "the property %s is '%s', expected auto or java"
                                        .formatted(PROPERTY, wanted),
                                "Leave it out, or set it to java to multiply integers without a library.");
            };
        }

        private static IntegerProducts library() {
            for (var provider : ServiceLoader.load(IntegerProducts.Provider.class)) {
                try {
                    return provider.open();
                } catch (OutriderException e) {
                    LoggerFactory.getLogger(IntegerEngine.class)
                            .warn("integers are multiplied by Java: {}", e.getMessage());
                }
            }
            return new PanelIntegers();
        }
    }
}
