package dev.outrider.treeverify.pass;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outrider.nn.checkpoint.CheckpointTensors;
import dev.outrider.nn.checkpoint.GroupedMatrix;
import dev.outrider.nn.checkpoint.Levels;
import dev.outrider.nn.gguf.GgufType;
import dev.outrider.nn.gguf.WeightBlock;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CheckpointWeights;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Packed levels are a file's numbers, or the numbers to which the back end `vector` rounds weights.
class QuantizedLayoutTest {
    private static final Offset<Float> PRECISELY = Offset.offset(0f);

    @TempDir private Path folder;

    @Test
    void everyPlaceHoldsAnotherNumber() {
        int words = QuantizedLayout.numbered(4, 320);

        int[] columns =
                IntStream.range(0, words * 8)
                        .map(place -> QuantizedLayout.column(place / 8, place % 8))
                        .toArray();

        assertThat(IntStream.of(columns).sorted().toArray())
                .isEqualTo(IntStream.range(0, 320).toArray());
        for (int place = 0; place < columns.length; place++) {
            assertThat(QuantizedLayout.wordOf(columns[place])).isEqualTo(place / 8);
            assertThat(QuantizedLayout.partOf(columns[place])).isEqualTo(place % 8);
            // Two consecutive parts belong to the same 16 numbers.
            assertThat(columns[place] / 16).isEqualTo(columns[place / 2 * 2] / 16);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void holdsLevelsTimesScales(int bits) {
        var random = new SplittableRandom(bits);
        var format = bits == 8 ? WeightFormat.INT8 : WeightFormat.INT4;
        int form = QuantizedLayout.form(WeightForms.rounded(format)).orElseThrow();
        for (int size : new int[] {1, 31, 32, 33, 64, 65, 100, 300}) {
            var numbers = new float[3 * size];
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (float) random.nextGaussian();
            }
            var beside = QuantizedLayout.form(GgufType.Q6_K).orElseThrow();
            for (int wider : new int[] {form, QuantizedLayout.join(form, beside)}) {
                var levels = Levels.ofBits(bits).orElseThrow();
                var blocks =
                        QuantizedLayout.rounded(
                                levels, wider, MemorySegment.ofArray(numbers), size);

                assertThat(stored(wider, WeightForms.rounded(format), 3, size, blocks))
                        .describedAs("rows of %d in %d", size, wider)
                        .containsExactly(rounded(numbers, format, size), PRECISELY);
            }
        }
    }

    /// Levels of four bits are eight-bit floats too.
    @Test
    void floatsHoldLevelsOfFourBits() {
        var random = new SplittableRandom(3);
        for (int size : new int[] {1, 33, 100, 300}) {
            var numbers = new float[3 * size];
            for (int index = 0; index < numbers.length; index++) {
                numbers[index] = (float) random.nextGaussian();
            }
            int form = QuantizedLayout.E4M3_OF_32;
            var blocks =
                    QuantizedLayout.rounded(
                            Levels.ofBits(4).orElseThrow(),
                            form,
                            MemorySegment.ofArray(numbers),
                            size);

            assertThat(stored(form, GgufType.Q4_0, 3, size, blocks))
                    .describedAs("rows of %d", size)
                    .containsExactly(rounded(numbers, WeightFormat.INT4, size), PRECISELY);
        }
    }

    /// All 254 numbers of an eight-bit float, with scales of 24 bits whose last one is set.
    @Test
    void floatsAreExactForEveryCodeAndScale() {
        int size = 300;
        int rows = 64;
        QuantizedLayout.Blocks blocks =
                (row, index, into) -> {
                    for (int column = 0; column < 128; column++) {
                        into.levels()[column] = code(row, index * 128 + column);
                    }
                    into.setScale32(scaleOf(row, index * 128), 0);
                };
        var expected = new float[rows * size];
        for (int index = 0; index < expected.length; index++) {
            byte code = code(index / size, index % size);
            expected[index] =
                    GroupedMatrix.level(GroupedMatrix.Kind.E4M3, code, 0)
                            * scaleOf(index / size, index % size);
        }

        assertThat(
                        distance(
                                stored(QuantizedLayout.E4M3, GgufType.Q8_0, rows, size, blocks),
                                expected))
                .isZero();
        assertThat(QuantizedLayout.words(QuantizedLayout.E4M3, 4096) * 32 / 4096.0).isEqualTo(8.25);
    }

    private static byte code(int row, int column) {
        byte code = (byte) (37 * row + column);
        return (code & 0x7f) == 0x7f ? 0 : code;
    }

    /// Scales from `2^-29` to 4.
    private static float scaleOf(int row, int column) {
        return Math.scalb(1 + (2 * (column / 128) + 1) * 0x1p-23f, row % 31 - 29);
    }

    @Test
    void aScaleThatDoesNotFitIsRefused() {
        for (float scale : new float[] {4, -4, Float.NaN}) {
            QuantizedLayout.Blocks blocks = (_, _, into) -> into.setScale32(scale, 0);
            assertThatThrownBy(() -> stored(QuantizedLayout.E4M3, GgufType.Q8_0, 1, 8, blocks))
                    .hasMessageContaining("devices hold scales below 4");
        }
    }

    /// Powers of two are exact from `2^-24` on; blocks of zeros may have any.
    @Test
    void aPowerOfTwoThatDoesNotFitIsRefused() {
        assertThat(power(104, 1)).isEqualTo(0x1p-24f);
        assertThat(power(128, 7)).isEqualTo(12);
        assertThat(power(0, 8)).isZero();
        for (int exponent : new int[] {0, 103, 130}) {
            assertThatThrownBy(() -> power(exponent, 1))
                    .hasMessageContaining(
                            "devices hold scales below 4, and powers of two from 2^-24");
        }
    }

    /// Returns the number of a four-bit float with an exponent.
    private float power(int exponent, int code) {
        QuantizedLayout.Blocks blocks =
                (_, _, into) -> {
                    into.setScale16((short) 0, exponent);
                    Arrays.fill(into.levels(), (byte) code);
                };
        int form = QuantizedLayout.form(GgufType.MXFP4).orElseThrow();
        return stored(form, GgufType.MXFP4, 1, 32, blocks)[5];
    }

    /// Packs a format in its own form, and in the joint forms with every other format.
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"F32", "F16", "BF16"})
    void holdsTheNumbersOfAFormatExactly(GgufType type) {
        int size = type.block() == 256 ? 768 : 96;
        int rows = 5;
        var random = new SplittableRandom(type.ordinal());
        int inRow = size / type.block();
        var data = MemorySegment.ofArray(RandomBlocks.of(type, rows * inRow, 0.5, random));
        QuantizedLayout.Blocks blocks =
                (row, index, into) ->
                        into.read(type, data, ((long) row * inRow + index) * type.bytes());
        var expected = new float[rows * size];
        var some = new float[type.block()];
        for (int block = 0; block < rows * inRow; block++) {
            new WeightBlock().numbers(type, data, (long) block * type.bytes(), some);
            System.arraycopy(some, 0, expected, block * some.length, some.length);
        }
        int own = QuantizedLayout.form(type).orElseThrow();

        for (var beside : GgufType.values()) {
            int form = QuantizedLayout.join(own, QuantizedLayout.form(beside).orElse(own));
            // 8 bits of a code, 8 of a count and 11 of a unit are together too many for a float.
            boolean rounds = QuantizedLayout.bits(form) == 8 && QuantizedLayout.pairs(form) == 2;
            assertThat(distance(stored(form, type, rows, size, blocks), expected))
                    .describedAs("beside %s", beside)
                    .isLessThanOrEqualTo(rounds ? 1e-5 : 0);
        }
    }

    @Test
    void aRowHasNearlyTheBytesOfAFile() {
        assertThat(bits(GgufType.Q4_0)).isEqualTo(4.5);
        assertThat(bits(GgufType.Q8_0)).isEqualTo(8.5);
        assertThat(bits(GgufType.Q4_K)).isEqualTo(4.625);
        assertThat(bits(GgufType.Q5_K)).isEqualTo(5.625);
        assertThat(bits(GgufType.Q6_K)).isEqualTo(6.5625);
    }

    private static double bits(GgufType type) {
        return QuantizedLayout.words(QuantizedLayout.form(type).orElseThrow(), 4096) / 128.0;
    }

    /// Mixes formats as in llama.cpp, with a layer of floats among levels.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesEachMatrixOfAFileAsItIs(boolean tied) throws IOException {
        var config = LevelFiles.wide(tied);
        var file =
                LevelFiles.write(folder.resolve("mixed.gguf"), config, QuantizedLayoutTest::mixed);
        try (var tensors = CheckpointTensors.ofGguf(file)) {
            var weights = new BlockWeights(new CheckpointWeights(config, tensors));
            var shape =
                    new ProgramShape(config, 4, 1, 8, 1, WeightFormat.FILE)
                            .withForms(WeightForms.ofFile(weights));
            var source = new QuantizedSource(shape, weights);
            for (var weight : Weight.values()) {
                for (int layer = 0; layer < 2; layer++) {
                    if (!weight.present(config, layer) || weight.shape(config, layer).length != 2) {
                        continue;
                    }
                    int size = (int) weight.shape(config, layer)[1];
                    int rows = (int) weight.shape(config, layer)[0];
                    var packed = read(source, weight, layer);
                    int form = shape.form(weight, layer);

                    assertThat(
                                    distance(
                                            QuantizedLayout.bits(form) < 16
                                                    ? unpacked(packed, form, rows, size)
                                                    : packed.toArray(ValueLayout.JAVA_FLOAT),
                                            read(weights, weight, layer)
                                                    .toArray(ValueLayout.JAVA_FLOAT)))
                            .describedAs("%s of layer %d", weight, layer)
                            .isZero();
                }
            }
            assertThat(shape.formats()).isEqualTo("f32+q4+q6+f16+q5");
        }
    }

    private static GgufType mixed(String tensor) {
        return switch (tensor) {
            case "blk.0.attn_v", "output", "blk.1.ffn_down" -> GgufType.Q6_K;
            case "blk.0.ffn_down" -> GgufType.Q5_0;
            case "blk.1.ffn_gate" -> GgufType.BF16;
            case "blk.1.attn_output" -> GgufType.F16;
            default -> GgufType.Q4_K;
        };
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
            var shape = new ProgramShape(config, 4, 1, 8, 1, WeightFormat.INT8);
            var source = new QuantizedSource(shape, wrong);
            assertThatThrownBy(() -> read(source, Weight.DOWN, 1))
                    .hasMessageStartingWith("CHECKPOINT_UNSUPPORTED: ")
                    .hasMessageContaining("DOWN of layer 1");
        }
    }

    /// Returns the largest difference of two numbers.
    private static double distance(float[] actual, float[] expected) {
        assertThat(actual).hasSameSizeAs(expected);
        return IntStream.range(0, actual.length)
                .mapToDouble(index -> Math.abs(actual[index] - expected[index]))
                .max()
                .orElseThrow();
    }

    private static float[] stored(
            int form, GgufType type, int rows, int size, QuantizedLayout.Blocks blocks) {
        var words = new int[rows * QuantizedLayout.words(form, size)];
        QuantizedLayout.pack("it", form, type, rows, size, blocks, MemorySegment.ofArray(words));
        return unpacked(MemorySegment.ofArray(words), form, rows, size);
    }

    private static float[] unpacked(MemorySegment words, int form, int rows, int size) {
        var numbers = new float[rows * size];
        for (int index = 0; index < numbers.length; index++) {
            int column = index % size;
            int first = index / size * QuantizedLayout.words(form, size);
            int word = QuantizedLayout.wordOf(column);
            boolean more = QuantizedLayout.bits(form) > 4;
            int higher =
                    more
                            ? QuantizedLayout.numbered(form, size)
                                    + QuantizedLayout.higher(form, word)
                            : word;
            numbers[index] =
                    QuantizedLayout.level(
                                    form,
                                    words.getAtIndex(ValueLayout.JAVA_INT, first + word),
                                    words.getAtIndex(ValueLayout.JAVA_INT, first + higher),
                                    word,
                                    QuantizedLayout.partOf(column))
                            * scale(words, form, first, size, column, 0);
            if (QuantizedLayout.pairs(form) == 2) {
                numbers[index] -= scale(words, form, first, size, column, 1);
            }
            numbers[index] *=
                    QuantizedLayout.floats(form)
                            ? QuantizedLayout.UNIT_OF_FLOATS
                            : QuantizedLayout.UNIT;
        }
        return numbers;
    }

    private static float scale(
            MemorySegment words, int form, int first, int size, int column, int which) {
        int unit = QuantizedLayout.unit(form, column, which);
        int count = QuantizedLayout.count(form, column, which);
        int units = first + QuantizedLayout.words(form, size) - 1 - unit / 2;
        int counts = first + QuantizedLayout.counts(form, size) + count / 4;
        if (QuantizedLayout.floats(form)) {
            return QuantizedLayout.scale(words.getAtIndex(ValueLayout.JAVA_INT, units));
        }
        return HalfMatrix.significand(words.getAtIndex(ValueLayout.JAVA_INT, units), unit % 2)
                * (QuantizedLayout.counted(form)
                        ? QuantizedLayout.times(
                                words.getAtIndex(ValueLayout.JAVA_INT, counts), count % 4)
                        : 1);
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
