package dev.outrider.nn.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.StoredTensor.TensorEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PackedMatrixTest {
    private static final String NAME = "w.weight";
    private static final int ROWS = 3;
    private static final int COLUMNS = 40;
    private static final int BLOCKS = 2;

    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource
    void isReadAsTheFormatSays(Levels levels) {
        try (var tensors = written(tensors(levels))) {
            var numbers = new float[ROWS * COLUMNS];
            var matrix = PackedMatrix.of(tensors, NAME, ROWS, COLUMNS);
            matrix.toFloats(MemorySegment.ofArray(numbers));

            assertThat(matrix.levels()).isEqualTo(levels);
            assertThat(numbers).isEqualTo(decoded(tensors, levels.bits()));
            assertThat(numbers).doesNotContain(Float.NaN);
        }
    }

    /// The published layout, implemented a second time.
    private static float[] decoded(CheckpointTensors tensors, int bits) {
        long[] words = tensors.tensor(NAME + "_packed").toLongs();
        float[] scales = tensors.tensor(NAME + "_scale").toFloats();
        int perWord = 32 / bits;
        var numbers = new float[ROWS * COLUMNS];
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                long word = words[(row * COLUMNS + column) / perWord] & 0xffffffffL;
                long unsigned = word >>> bits * (column % perWord) & (1L << bits) - 1;
                numbers[row * COLUMNS + column] =
                        (unsigned - (1L << bits - 1)) * scales[row * BLOCKS + column / 32];
            }
        }
        return numbers;
    }

    @Test
    void refusesRowsThatFillNoWholeWords() {
        try (var arena = Arena.ofConfined()) {
            assertThatThrownBy(() -> PackedMatrix.empty(NAME, Levels.FOUR_BITS, 2, 36, arena))
                    .hasMessageStartingWith(
                            "CHECKPOINT_UNSUPPORTED: tensor 'w.weight' has 36 columns, which fill no whole words of 32 bits; expected a multiple of 8");
            assertThat(PackedMatrix.empty(NAME, Levels.EIGHT_BITS, 2, 36, arena).blocks())
                    .isEqualTo(2);
        }
    }

    @Test
    void refusesWhatIsMissing() {
        for (var part : List.of("_scale", "_shape")) {
            var stored = tensors(Levels.EIGHT_BITS);
            stored.removeIf(tensor -> tensor.name().endsWith(part));
            assertRefused(stored, "CHECKPOINT_INCOMPLETE: there is no tensor 'w.weight%s'", part);
        }
    }

    @Test
    void refusesOtherShapes() {
        assertRefused(
                with(ints("_packed", ROWS, 9)),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'w.weight_packed' has shape [3, 9]; a matrix [3, 40] expects [3, 10] in 8 bits or [3, 5] in 4 bits");
        assertRefused(
                with(ints("_packed", ROWS * 10)),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'w.weight_packed' has shape [30];");
        assertRefused(
                with(halves("_scale", (short) 0, ROWS, 1)),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'w.weight_scale' of");
        assertRefused(
                with(StoredTensor.ofLongs(NAME + "_shape", new long[3], 3)),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'w.weight_shape' of");
        assertRefused(
                with(StoredTensor.ofLongs(NAME + "_shape", new long[] {ROWS, 39}, 2)),
                "CHECKPOINT_SHAPE_MISMATCH: tensor 'w.weight_shape' says [3, 39]; expected [3, 40]");
    }

    @Test
    void refusesOtherNumberFormats() {
        assertRefused(
                with(StoredTensor.ofFloats(NAME + "_packed", new float[30], ROWS, 10)),
                "CHECKPOINT_UNSUPPORTED: tensor 'w.weight_packed' is stored as F32; expected I32");
        assertRefused(
                with(StoredTensor.ofBfloat16(NAME + "_scale", new float[6], ROWS, BLOCKS)),
                "CHECKPOINT_UNSUPPORTED: tensor 'w.weight_scale' is stored as BF16; expected F16");
        assertRefused(
                with(StoredTensor.ofFloats(NAME + "_shape", new float[2], 2)),
                "CHECKPOINT_UNSUPPORTED: tensor 'w.weight_shape' is stored as F32; expected I64");
    }

    @Test
    void refusesScalesThatAreNoNumbers() {
        for (float bad : new float[] {Float.NaN, Float.NEGATIVE_INFINITY}) {
            assertRefused(
                    with(halves("_scale", Float.floatToFloat16(bad), ROWS, BLOCKS)),
                    "CHECKPOINT_UNSUPPORTED: number 0 of tensor 'w.weight_scale' is %s; expected a finite number",
                    bad);
        }
    }

    private void assertRefused(List<StoredTensor> stored, String message, Object... values) {
        try (var tensors = written(stored)) {
            assertThatThrownBy(() ->
                            PackedMatrix.of(tensors, NAME, ROWS, COLUMNS)
                                    .toFloats(MemorySegment.ofArray(new float[ROWS * COLUMNS])))
                    .hasMessageStartingWith(message, values);
        }
    }

    private static List<StoredTensor> with(StoredTensor changed) {
        var stored = tensors(Levels.EIGHT_BITS);
        stored.removeIf(tensor -> tensor.name().equals(changed.name()));
        stored.add(changed);
        return stored;
    }

    private static List<StoredTensor> tensors(Levels levels) {
        var random = new Random(11);
        var matrix = PackedMatrix.empty(NAME, levels, ROWS, COLUMNS, Arena.ofAuto());
        var block = new byte[Levels.BLOCK];
        for (int row = 0; row < ROWS; row++) {
            for (int part = 0; part < BLOCKS; part++) {
                var numbers = new float[Levels.BLOCK];
                for (int index = 0; index < numbers.length; index++) {
                    numbers[index] = (float) random.nextGaussian();
                }
                matrix.put(row, part, levels.round(numbers, block), block);
            }
        }
        return new ArrayList<>(matrix.tensors());
    }

    private static StoredTensor ints(String part, long... shape) {
        return of(part, TensorType.I32, shape);
    }

    private static StoredTensor halves(String part, short value, long... shape) {
        var tensor = of(part, TensorType.F16, shape);
        for (long index = 0; index < tensor.elements(); index++) {
            tensor.data().setAtIndex(ValueLayout.JAVA_SHORT, index, value);
        }
        return tensor;
    }

    private static StoredTensor of(String part, TensorType type, long... shape) {
        var sizes = Arrays.stream(shape).boxed().toList();
        long bytes = type.bytes(TensorEntry.elements(sizes));
        return new StoredTensor(NAME + part, type, sizes, Arena.ofAuto().allocate(bytes, 8));
    }

    private CheckpointTensors written(List<StoredTensor> stored) {
        var path = folder.resolve("model.safetensors");
        SafetensorsWriter.write(path, stored, Map.of());
        return CheckpointTensors.ofFile(path);
    }
}
