package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Packed levels are the numbers that a file has, or those that the back end `vector` rounds weights to.
class LevelMatrixTest {
    private static final Offset<Float> PRECISELY = Offset.offset(0f);

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void everyPlaceHoldsAnotherNumber(int bits) {
        int parts = 32 / bits;
        int words = LevelMatrix.numbered(bits, 320);

        int[] columns =
                IntStream.range(0, words * parts)
                        .map(place -> LevelMatrix.column(bits, place / parts, place % parts))
                        .toArray();

        assertThat(IntStream.of(columns).sorted().toArray())
                .isEqualTo(IntStream.range(0, 320).toArray());
        for (int place = 0; place < columns.length; place++) {
            assertThat(LevelMatrix.wordOf(bits, columns[place])).isEqualTo(place / parts);
            assertThat(LevelMatrix.partOf(bits, columns[place])).isEqualTo(place % parts);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void holdsLevelsTimesScales(int bits) {
        var random = new SplittableRandom(bits);
        for (int size : new int[] {1, 31, 32, 33, 64, 65, 100, 300}) {
            var numbers = new float[3 * size];
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (float) random.nextGaussian();
            }
            var format = bits == 8 ? WeightFormat.INT8 : WeightFormat.INT4;

            assertThat(stored(numbers, bits, size))
                    .describedAs("rows of %d", size)
                    .containsExactly(rounded(numbers, format, size), PRECISELY);
        }
    }

    @ParameterizedTest
    @CsvSource({"Q8_0, true", "Q8_0, false", "Q4_0, true", "Q4_0, false"})
    void takesTheLevelsOfAFile(WeightFormat format, boolean tied) throws IOException {
        var type = GgufType.valueOf(format.name());
        var file = LevelFiles.write(folder.resolve("levels.gguf"), tied, type, type);
        var config = LevelFiles.config(tied);
        try (var tensors = CheckpointTensors.ofGguf(file)) {
            var weights = new BlockWeights(new CheckpointWeights(config, tensors));
            for (var weight : Weight.values()) {
                if (weight.present(config, 1) && weight.shape(config, 1).length == 2) {
                    int layer = weight == Weight.EMBEDDING || weight == Weight.HEAD ? 0 : 1;
                    long[] shape = weight.shape(config, layer);

                    var packed = read(new LevelSource(config, weights, format), weight, layer);

                    assertThat(unpacked(packed, format.bits(), (int) shape[0], (int) shape[1]))
                            .describedAs("%s", weight)
                            .containsExactly(
                                    read(weights, weight, layer).toArray(ValueLayout.JAVA_FLOAT),
                                    PRECISELY);
                }
            }
        }
    }

    @Test
    void whatAFileDoesNotHoldInTheFormatIsRefusedByItsName() throws IOException {
        var file =
                LevelFiles.write(folder.resolve("mixed.gguf"), false, GgufType.Q4_0, GgufType.Q8_0);
        var config = LevelFiles.config(false);
        try (var tensors = CheckpointTensors.ofGguf(file)) {
            var weights = new BlockWeights(new CheckpointWeights(config, tensors));
            var source = new LevelSource(config, weights, WeightFormat.Q4_0);

            assertThatThrownBy(() -> read(source, Weight.HEAD, 0))
                    .hasMessage(
                            """
                            CHECKPOINT_UNSUPPORTED: HEAD of layer 0 is stored as Q8_0, expected Q4_0
                              Set target.precision to f16 or int4, which rounds, or take a file of the model in Q4_0.\
                            """);
        }
        var random = new LevelSource(config, new RandomWeights(config, 1, 1), WeightFormat.Q8_0);
        assertThatThrownBy(() -> read(random, Weight.DOWN, 1))
                .hasMessageContaining(
                        "DOWN of layer 1 is stored as numbers of no GGUF file, expected");
    }

    @Test
    void weightsThatLevelsDoNotHoldAreRefused() {
        var config = LevelFiles.config(true);
        for (float weight : new float[] {508.5f, Float.NaN, Float.NEGATIVE_INFINITY}) {
            WeightSource wrong =
                    (_, _, reader) -> {
                        var numbers = new float[96 * 160];
                        numbers[1000] = weight;
                        reader.accept(MemorySegment.ofArray(numbers));
                    };
            var source = new LevelSource(config, wrong, WeightFormat.INT8);
            assertThatThrownBy(() -> read(source, Weight.DOWN, 1))
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining("DOWN of layer 1");
        }
    }

    private static float[] stored(float[] numbers, int bits, int size) {
        int rows = numbers.length / size;
        var levels = Levels.ofBits(bits).orElseThrow();
        var words = new int[rows * LevelMatrix.words(bits, size)];
        var rounded = LevelMatrix.rounded(levels, MemorySegment.ofArray(numbers), size);
        LevelMatrix.pack("numbers", bits, rows, size, rounded, MemorySegment.ofArray(words));
        return unpacked(MemorySegment.ofArray(words), bits, rows, size);
    }

    private static float[] unpacked(MemorySegment words, int bits, int rows, int size) {
        var numbers = new float[rows * size];
        for (int index = 0; index < numbers.length; index++) {
            int column = index % size;
            int first = index / size * LevelMatrix.words(bits, size);
            int at = first + LevelMatrix.wordOf(bits, column);
            int pair = first + LevelMatrix.numbered(bits, size) + column / 64;
            numbers[index] =
                    LevelMatrix.level(
                                    bits,
                                    words.getAtIndex(ValueLayout.JAVA_INT, at),
                                    LevelMatrix.partOf(bits, column))
                            * HalfMatrix.significand(
                                    words.getAtIndex(ValueLayout.JAVA_INT, pair), column / 32 % 2)
                            * LevelMatrix.UNIT;
        }
        return numbers;
    }

    private static float[] rounded(float[] numbers, WeightFormat format, int size) {
        var result = numbers.clone();
        RoundedWeights.toLevels(result, format, size);
        return result;
    }

    private static MemorySegment read(WeightSource source, Weight weight, int layer) {
        var copies = new MemorySegment[1];
        source.read(
                weight,
                layer,
                from -> copies[0] = Arena.ofAuto().allocate(from.byteSize(), 4).copyFrom(from));
        return copies[0];
    }
}
