package dev.outrider.nn.checkpoint;

import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// A quantised matrix in the format `pack-quantized` of `compressed-tensors`: three tensors in
/// place of one. Levels are stored along the rows as unsigned integers, the first in the lowest
/// bits of a 32-bit word; every [Levels#BLOCK] columns of a row have a scale, and the last block of
/// a row may be shorter.
///
/// Thread-safe to read. Owner of the memory: that of the tensors it was made from.
///
/// @param levels their type
public record PackedMatrix(
        String name,
        Levels levels,
        long rows,
        int columns,
        MemorySegment packed,
        MemorySegment scales)
        implements FileMatrix {
    private static final String PACKED = "_packed";
    private static final String SCALE = "_scale";
    private static final String SHAPE = "_shape";

    private static final ValueLayout.OfShort HALF =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Returns an empty matrix.
    ///
    /// @param name  name of the tensor that it replaces
    /// @param arena owner of its memory
    /// @throws OutriderException `CHECKPOINT_UNSUPPORTED` if its rows do not fill whole words
    public static PackedMatrix empty(
            String name, Levels levels, long rows, long columns, Arena arena) {
        if (columns % perWord(levels) != 0) {
            throw unsupported(
                    "tensor '%s' has %d columns, which fill no whole words of %d bits; expected a multiple of %d"
                            .formatted(name, columns, Integer.SIZE, perWord(levels)),
                    "Use another precision, or let the target quantise the checkpoint when it is loaded.");
        }
        return new PackedMatrix(
                name,
                levels,
                rows,
                Math.toIntExact(columns),
                arena.allocate(rows * words(levels, columns) * Integer.BYTES, Long.BYTES),
                arena.allocate(rows * blocks(columns) * Short.BYTES, Long.BYTES));
    }

    /// Returns whether a checkpoint has a tensor in this form.
    ///
    /// @param name name of the tensor that it replaces
    public static boolean isIn(CheckpointTensors tensors, String name) {
        return !tensors.names().contains(name) && tensors.names().contains(name + PACKED);
    }

    /// Returns a matrix of a checkpoint.
    ///
    /// @param name  name of the tensor that it replaces
    /// @param shape the required shape
    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or
    ///     `CHECKPOINT_UNSUPPORTED`
    public static PackedMatrix of(CheckpointTensors tensors, String name, long... shape) {
        long rows = shape[0];
        long columns = shape[1];
        var found = tensors.tensor(name + PACKED);
        var levels = levels(found, rows, columns);
        var packed = typed(found, TensorType.I32);
        var scales = typed(tensors.tensor(name + SCALE, rows, blocks(columns)), TensorType.F16);
        var stated = typed(tensors.tensor(name + SHAPE, shape.length), TensorType.I64);
        if (!Arrays.equals(stated.toLongs(), shape)) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "tensor '%s' says %s; expected %s"
                            .formatted(
                                    stated.name(),
                                    Arrays.toString(stated.toLongs()),
                                    Arrays.toString(shape)),
                    "Check that config.json and the weights belong to the same model.");
        }
        return new PackedMatrix(
                name, levels, rows, Math.toIntExact(columns), packed.data(), scales.data());
    }

    /// The number of words determines the number of bits.
    private static Levels levels(StoredTensor packed, long rows, long columns) {
        return Arrays.stream(Levels.values())
                .filter(levels -> columns % perWord(levels) == 0)
                .filter(levels -> packed.shape().equals(List.of(rows, words(levels, columns))))
                .findFirst()
                .orElseThrow(() ->
                        ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                                "tensor '%s' has shape %s; a matrix %s expects %s"
                                        .formatted(
                                                packed.name(),
                                                packed.shape(),
                                                List.of(rows, columns),
                                                expected(rows, columns)),
                                "Check that config.json and the weights belong to the same model."));
    }

    private static String expected(long rows, long columns) {
        return Arrays.stream(Levels.values())
                .map(levels ->
                        "%s in %d bits"
                                .formatted(List.of(rows, words(levels, columns)), levels.bits()))
                .collect(Collectors.joining(" or "));
    }

    private static StoredTensor typed(StoredTensor tensor, TensorType type) {
        if (tensor.type() != type) {
            throw unsupported(
                    "tensor '%s' is stored as %s; expected %s"
                            .formatted(tensor.name(), tensor.type(), type),
                    "Use a checkpoint that is not quantised, or that Outrider quantised.");
        }
        return tensor;
    }

    /// Returns the levels of a word.
    private static int perWord(Levels levels) {
        return Integer.SIZE / levels.bits();
    }

    private static long words(Levels levels, long columns) {
        return Math.ceilDiv(columns, perWord(levels));
    }

    private static long blocks(long columns) {
        return Math.ceilDiv(columns, Levels.BLOCK);
    }

    /// Returns the names of its tensors.
    public List<String> names() {
        return List.of(name + PACKED, name + SCALE, name + SHAPE);
    }

    /// Returns the blocks of a row.
    public int blocks() {
        return Math.toIntExact(blocks(columns));
    }

    /// Stores a block.
    ///
    /// @param scale a 16-bit float
    /// @param from  [Levels#BLOCK] levels; those beyond the columns are ignored
    public void put(long row, int block, short scale, byte[] from) {
        scales.setAtIndex(HALF, row * blocks() + block, scale);
        for (int index = 0; index < size(block); index++) {
            long bit = bit(row, block, index);
            int kept = packed.get(ValueLayout.JAVA_BYTE, bit / Byte.SIZE) & 0xff;
            int stored = from[index] + zero() << (int) (bit % Byte.SIZE);
            packed.set(ValueLayout.JAVA_BYTE, bit / Byte.SIZE, (byte) (kept | stored));
        }
    }

    @Override
    public void read(long row, int index, WeightBlock into) {
        into.setScale16(read(row, index, into.levels()), 0);
    }

    /// Returns the scale of a block, a finite 16-bit float.
    private short read(long row, int block, byte[] into) {
        short scale = scales.getAtIndex(HALF, row * blocks() + block);
        if (!Float.isFinite(Float.float16ToFloat(scale))) {
            throw unsupported(
                    "number %d of tensor '%s' is %s; expected a finite number"
                            .formatted(
                                    row * blocks() + block,
                                    name + SCALE,
                                    Float.float16ToFloat(scale)),
                    "Use a checkpoint whose weights are numbers.");
        }
        for (int index = 0; index < size(block); index++) {
            long bit = bit(row, block, index);
            int stored = packed.get(ValueLayout.JAVA_BYTE, bit / Byte.SIZE) >> (bit % Byte.SIZE);
            into[index] = (byte) ((stored & 2 * zero() - 1) - zero());
        }
        return scale;
    }

    @Override
    public void numbers(long row, float[] into) {
        var block = new byte[Levels.BLOCK];
        for (int index = 0; index < blocks(); index++) {
            float scale = Float.float16ToFloat(read(row, index, block));
            for (int column = 0; column < size(index); column++) {
                into[index * Levels.BLOCK + column] = block[column] * scale;
            }
        }
    }

    /// Returns its tensors.
    public List<StoredTensor> tensors() {
        return List.of(
                new StoredTensor(
                        name + PACKED,
                        TensorType.I32,
                        List.of(rows, words(levels, columns)),
                        packed),
                new StoredTensor(
                        name + SCALE, TensorType.F16, List.of(rows, blocks(columns)), scales),
                StoredTensor.ofLongs(name + SHAPE, new long[] {rows, columns}, 2));
    }

    private int size(int block) {
        return (int) Math.min(Levels.BLOCK, columns - (long) block * Levels.BLOCK);
    }

    /// Words are little-endian, so bit numbers continue through the bytes.
    private long bit(long row, int block, int index) {
        return (row * columns + (long) block * Levels.BLOCK + index) * levels.bits();
    }

    /// Returns the code of level 0.
    private int zero() {
        return 1 << levels.bits() - 1;
    }

    private static OutriderException unsupported(String problem, String remedy) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(problem, remedy);
    }
}
