package dev.outrider.nn.checkpoint;

import static dev.outrider.nn.checkpoint.Quantisation.ALL;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Finds the tensors of a quantised matrix and checks their types and shapes.
final class GroupTensorReader {
    private static final Set<TensorType> SCALES =
            EnumSet.of(TensorType.F16, TensorType.BF16, TensorType.F32);
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// The positions of outputs in an AWQ word.
    private static final int[] AWQ = {0, 4, 1, 5, 2, 6, 3, 7};

    private static final String WEIGHT = ".weight";

    private final CheckpointTensors tensors;
    private final String name;
    private final Quantisation form;
    private final long[] shape;
    private final long rows;
    private final long columns;
    private final long groups;
    private final List<String> names = new ArrayList<>();

    GroupTensorReader(CheckpointTensors tensors, String name, Quantisation form, long... shape) {
        this.tensors = tensors;
        this.name = name;
        this.form = form;
        this.shape = shape.clone();
        columns = shape[shape.length - 1];
        rows = Arrays.stream(shape).limit(shape.length - 1).reduce(1, Math::multiplyExact);
        groups = form.group() == ALL ? 1 : Math.ceilDiv(columns, form.group());
    }

    /// Returns the rows of all its matrices.
    long rows() {
        return rows;
    }

    /// Returns whether a checkpoint has a weight in quantised form.
    ///
    /// @param name name of the tensor that it replaces
    static boolean finds(CheckpointTensors tensors, String name, Quantisation form) {
        return switch (form.layout()) {
            case PACKED -> tensors.names().contains(name + "_packed");
            case GPTQ, GPTQ_V2, AWQ -> tensors.names().contains(stem(name) + ".qweight");
            case INTEGERS -> is(tensors, name, TensorType.I8);
            case FLOATS, FLOATS_INVERSE -> is(tensors, name, TensorType.F8_E4M3);
            case MXFP4 ->
                    tensors.names().contains(name + "_blocks")
                            || tensors.names().contains(name + "_scales");
        };
    }

    private static boolean is(CheckpointTensors tensors, String name, TensorType type) {
        return tensors.find(name).filter(tensor -> tensor.type() == type).isPresent();
    }

    private static String stem(String name) {
        return name.endsWith(WEIGHT) ? name.substring(0, name.length() - WEIGHT.length()) : name;
    }

    /// @throws OutriderException `CHECKPOINT_INCOMPLETE`, `CHECKPOINT_SHAPE_MISMATCH` or `CHECKPOINT_UNSUPPORTED`
    GroupTensors read() {
        return switch (form.layout()) {
            case PACKED -> packed();
            case INTEGERS -> bytes(TensorType.I8, middle(), "_scale");
            case FLOATS -> bytes(TensorType.F8_E4M3, 0, "_scale");
            case FLOATS_INVERSE -> bytes(TensorType.F8_E4M3, 0, "_scale_inv");
            case GPTQ -> gptq(1);
            case GPTQ_V2 -> gptq(0);
            case AWQ -> awq();
            case MXFP4 -> microscaled();
        };
    }

    private GroupTensors packed() {
        var words = typed(name + "_packed", TensorType.I32, rows, words(columns));
        var scale = tiles(name + "_scale");
        requireStatedShape();
        return result(
                (row, column) -> code(words, row, column),
                form.zeros() ? packedZeros() : (_, _) -> middle(),
                scale);
    }

    /// Words contain zeros of several rows; older files have bytes.
    private GroupTensors.Codes packedZeros() {
        var zeros = name + "_zero_point";
        if (tensors.tensor(zeros).type() == TensorType.I8) {
            var bytes = typed(zeros, TensorType.I8, rows, groups);
            return (row, group) ->
                    middle() + bytes.data().get(ValueLayout.JAVA_BYTE, row * groups + group)
                            & mask();
        }
        var words = typed(zeros, TensorType.I32, words(rows), groups);
        return (row, group) -> codeAcross(words, row, group);
    }

    private void requireStatedShape() {
        var stated = typed(name + "_shape", TensorType.I64, 2);
        long[] said = stated.toLongs();
        if (said[0] != rows || said[1] != columns) {
            throw ErrorCode.CHECKPOINT_SHAPE_MISMATCH.error(
                    "tensor '%s' says [%d, %d]; expected [%d, %d]"
                            .formatted(stated.name(), said[0], said[1], rows, columns),
                    "Check that config.json and the weights belong to the same model.");
        }
    }

    private GroupTensors bytes(TensorType type, int zero, String suffix) {
        var codes = typed(name, type, rows, columns);
        return result(
                (row, column) ->
                        codes.data().get(ValueLayout.JAVA_BYTE, row * columns + column) + zero
                                & 0xff,
                (_, _) -> zero,
                tiles(name + suffix));
    }

    /// @param lacking how much less than the zero is stored; the sum wraps, as in AutoGPTQ
    private GroupTensors gptq(int lacking) {
        requireWholeWords(columns, "inputs");
        requireWholeWords(rows, "outputs");
        var words = typed(stem(name) + ".qweight", TensorType.I32, words(columns), rows);
        var zeros = typed(stem(name) + ".qzeros", TensorType.I32, groups, words(rows));
        var scale = scales(stem(name) + ".scales", groups, rows);
        requireGroupsInOrder();
        return result(
                (row, column) -> codeAcross(words, column, row),
                (row, group) -> code(zeros, group, row) + lacking & mask(),
                scale);
    }

    private GroupTensors awq() {
        requireWholeWords(rows, "outputs");
        var words = typed(stem(name) + ".qweight", TensorType.I32, columns, words(rows));
        var zeros = typed(stem(name) + ".qzeros", TensorType.I32, groups, words(rows));
        var scale = scales(stem(name) + ".scales", groups, rows);
        return result(
                (row, column) -> code(words, column, place(row)),
                (row, group) -> code(zeros, group, place(row)),
                scale);
    }

    /// A byte contains two floats, the first in the lower bits.
    private GroupTensors microscaled() {
        if (columns % form.group() != 0) {
            throw unsupported(
                    "weight '%s' has %d inputs, which fill no whole blocks of %d"
                            .formatted(name, columns, form.group()),
                    "Check that config.json and the weights belong to the same model.");
        }
        long[] blocks = Arrays.copyOf(shape, shape.length + 1);
        blocks[shape.length - 1] = groups;
        blocks[shape.length] = form.group() / 2;
        var codes = typed(name + "_blocks", TensorType.U8, blocks);
        var scale = typed(name + "_scales", TensorType.U8, Arrays.copyOf(blocks, shape.length));
        return result(
                (row, column) ->
                        codes.data().get(ValueLayout.JAVA_BYTE, (row * columns + column) / 2)
                                        >> column % 2 * form.bits()
                                & mask(),
                (_, _) -> 0,
                scale);
    }

    private static long place(long output) {
        int inWord = (int) (output % AWQ.length);
        return output - inWord + AWQ[inWord];
    }

    /// Requires groups of consecutive inputs.
    private void requireGroupsInOrder() {
        if (!form.groupIndexRequired() && !tensors.names().contains(stem(name) + ".g_idx")) {
            return;
        }
        var order = typed(stem(name) + ".g_idx", TensorType.I32, columns);
        for (long column = 0; column < columns; column++) {
            int group = order.data().getAtIndex(WORD, column);
            if (group != column / form.group()) {
                throw unsupported(
                        "tensor '%s' puts input %d into group %d; expected %d, as of inputs that follow each other"
                                .formatted(order.name(), column, group, column / form.group()),
                        "Use a checkpoint that was quantised with desc_act false or static_groups true, or the model as GGUF.");
            }
        }
    }

    private GroupTensors result(
            GroupTensors.Codes codes, GroupTensors.Codes zeros, StoredTensor scale) {
        boolean across =
                switch (form.layout()) {
                    case GPTQ, GPTQ_V2, AWQ -> true;
                    default -> false;
                };
        return new GroupTensors(
                codes,
                zeros,
                scale,
                across
                        ? (row, group) -> group * rows + row
                        : (row, group) -> row / form.rows() * groups + group,
                List.copyOf(names));
    }

    private int perWord() {
        return Integer.SIZE / form.bits();
    }

    private int mask() {
        return (1 << form.bits()) - 1;
    }

    /// Returns the unsigned code of level 0 for symmetric integers.
    private int middle() {
        return 1 << form.bits() - 1;
    }

    private long words(long count) {
        return Math.ceilDiv(count, perWord());
    }

    /// Returns an integer packed along the second dimension, the first in the lowest bits.
    private int code(StoredTensor words, long first, long second) {
        long word = first * words.shape().get(1) + second / perWord();
        return inWord(words, word, (int) (second % perWord()));
    }

    /// Returns an integer packed along the first dimension.
    private int codeAcross(StoredTensor words, long first, long second) {
        long word = first / perWord() * words.shape().get(1) + second;
        return inWord(words, word, (int) (first % perWord()));
    }

    private int inWord(StoredTensor words, long word, int place) {
        return words.data().getAtIndex(WORD, word) >>> form.bits() * place & mask();
    }

    /// Returns the scales of tiles of rows and columns; a single scale may have any shape.
    private StoredTensor tiles(String scale) {
        long high = Math.ceilDiv(rows, form.rows());
        if (high * groups == 1 && tensors.tensor(scale).elements() == 1) {
            long[] shape =
                    tensors.tensor(scale).shape().stream().mapToLong(Long::longValue).toArray();
            return scales(scale, shape);
        }
        return scales(scale, high, groups);
    }

    private StoredTensor scales(String scale, long... shape) {
        var tensor = tensors.tensor(scale, shape);
        if (!SCALES.contains(tensor.type())) {
            throw stored(tensor, "one of " + SCALES);
        }
        names.add(scale);
        return tensor;
    }

    private StoredTensor typed(String tensor, TensorType type, long... shape) {
        var found = tensors.tensor(tensor, shape);
        if (found.type() != type) {
            throw stored(found, type.name());
        }
        names.add(tensor);
        return found;
    }

    private void requireWholeWords(long count, String what) {
        if (count % perWord() != 0) {
            throw unsupported(
                    "weight '%s' has %d %s, which fill no whole words of %d"
                            .formatted(name, count, what, perWord()),
                    "Check that config.json and the weights belong to the same model.");
        }
    }

    private static OutriderException stored(StoredTensor tensor, String expected) {
        return unsupported(
                "tensor '%s' is stored as %s; expected %s"
                        .formatted(tensor.name(), tensor.type(), expected),
                "Use a checkpoint that is not quantised, or another quantised form of it.");
    }

    private static OutriderException unsupported(String problem, String remedy) {
        return ErrorCode.CHECKPOINT_UNSUPPORTED.error(problem, remedy);
    }

    /// The checked tensors of a quantised matrix. Codes and zeros are unsigned: `code - zero` is a
    /// level, and level times scale is the number. The code of a float is its byte, and its zero is
    /// 0.
    ///
    /// @param codes by row and column
    /// @param zeros code of level 0, by row and group
    /// @param scale tensor of the scales
    /// @param place index of a scale, by row and group
    /// @param names of all these tensors
    record GroupTensors(
            Codes codes, Codes zeros, StoredTensor scale, Codes place, List<String> names) {
        /// An integer by row and column, or by row and group.
        @FunctionalInterface
        interface Codes {
            long at(long row, int column);
        }
    }
}
