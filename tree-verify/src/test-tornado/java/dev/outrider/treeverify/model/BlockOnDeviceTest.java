package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.BlockNetwork;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FeatureRows.Source;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.treeverify.TornadoTargetConfig.WeightFormat;
import dev.outrider.treeverify.device.RequiresDevice;
import dev.outrider.treeverify.pass.RandomLayers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Backbones of block drafters compute the same on the device as on the processor, whatever their rows are run with.
@RequiresDevice
class BlockOnDeviceTest {
    private static final double TOLERANCE = 1e-4;
    private static final int CACHE_ROWS = 90;

    /// Slots of a block: its runs have 16 rows.
    private static final int SLOTS = 11;

    private static final int FIRST = 1;
    private static final int GUESSES = 7;

    private final Random random = new Random(5);

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FILE")
    void computesWhatTheProcessorComputes(WeightFormat format) {
        check(RandomLayers.dflash(2), format);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 6})
    void computesWithFewAndManyLayers(int layers) {
        check(RandomLayers.dflash(layers), WeightFormat.F32);
    }

    @Test
    void computesWithBiasesAndWithoutNormsOfHeads() {
        var config =
                RandomLayers.dflash(2).toBuilder()
                        .queryKeyNorm(false)
                        .queryKeyValueBias(true)
                        .outputBias(true)
                        .build();
        check(config, WeightFormat.F32);
    }

    private void check(DecoderConfig config, WeightFormat format) {
        try (var device = onDevice(config, format, SLOTS);
                var processor = onProcessor(config, Precision.valueOf(format.name()));
                var arena = Arena.ofConfined()) {
            // One run, more than two, and a text of one token.
            for (int context : new int[] {5, 37, 0}) {
                var features = numbers(context + 14, config, arena);

                assertClose(
                        rounds(device, features, context), rounds(processor, features, context));
            }
        }
    }

    /// Returns states and logits of three rounds, of which the second has more features than one run, and the last has none.
    private static List<float[]> rounds(
            BlockNetwork network, MemorySegment features, int context) {
        var results = new ArrayList<float[]>();
        try (var cache = network.newCache(CACHE_ROWS)) {
            if (context > 0) {
                network.keep(cache, rows(network, features, 0, context));
            }
            var more = rows(network, features, context, 14);
            results.addAll(block(network, cache, Optional.empty(), 3));
            results.addAll(block(network, cache, Optional.of(more), 4));
            assertThat(cache.length()).isEqualTo(context + 14);
            assertThat(cache.used()).isEqualTo(context + 14);
            results.addAll(block(network, cache, Optional.empty(), 5));
        }
        return results;
    }

    @Test
    void neitherPiecesNorOtherSequencesChangeABit() {
        var config = RandomLayers.dflash(2);
        try (var device = onDevice(config, WeightFormat.F32, SLOTS);
                var arena = Arena.ofConfined();
                var whole = device.newCache(CACHE_ROWS);
                var pieces = device.newCache(CACHE_ROWS);
                var other = device.newCache(CACHE_ROWS)) {
            var features = numbers(30, config, arena);
            device.keep(whole, rows(device, features, 0, 30));
            var expected = block(device, whole, Optional.empty(), 3);
            for (int row = 0; row < 30; row++) {
                var one = rows(device, features, row, 1);
                device.keep(other, rows(device, features, 29 - row, 1));
                if (row % 3 == 0) {
                    device.keep(pieces, one);
                } else {
                    block(device, pieces, Optional.of(one), row);
                }
            }
            block(device, other, Optional.empty(), 8);

            assertThat(block(device, pieces, Optional.empty(), 3))
                    .usingRecursiveComparison()
                    .isEqualTo(expected);
            assertThat(block(device, other, Optional.empty(), 3).getFirst())
                    .isNotEqualTo(expected.getFirst());
        }
    }

    @Test
    void refusesByNameWhatItDoesNotRun() {
        var config = RandomLayers.dflash(1);
        assertThatThrownBy(() -> onDevice(config, WeightFormat.F32, 257))
                .isInstanceOf(OutriderException.class)
                .hasMessageContaining("'drafter' needs")
                .hasMessageContaining("blocks of more than 256 rows");
        try (var device = onDevice(config, WeightFormat.F32, 1);
                var arena = Arena.ofConfined();
                var cache = device.newCache(140)) {
            var features = numbers(121, config, arena);
            assertThatThrownBy(() -> device.keep(cache, rows(device, features, 0, 121)))
                    .hasMessage("121 positions, and the program was compiled for at most 120");
        }
    }

    private static BlockNetwork onDevice(DecoderConfig config, WeightFormat format, int block) {
        return new TornadoCode()
                .loadLayer("drafter", config, new RandomWeights(config, 3, 1), format, block);
    }

    /// Rows of 32 bits, as on the device.
    private static BlockNetwork onProcessor(DecoderConfig config, Precision precision) {
        var plain = config.toBuilder().fusion(Optional.empty()).build();
        var rows = new RandomWeights(plain, 3, 1);
        try (var lender = new VectorNetwork(plain, rows, precision, RowPrecision.F32)) {
            return new VectorFeatureNetwork(
                    config, new RandomWeights(config, 3, 1), precision, Optional.of(lender));
        }
    }

    private MemorySegment numbers(int rows, DecoderConfig config, Arena arena) {
        int count = rows * config.fusion().orElseThrow().capturedWidth();
        var memory = arena.allocate(ValueLayout.JAVA_FLOAT, count);
        for (int index = 0; index < count; index++) {
            memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, (float) random.nextGaussian());
        }
        return memory;
    }

    private static FeatureRows rows(
            BlockNetwork network, MemorySegment all, int first, int count) {
        long width = 4L * network.config().fusion().orElseThrow().capturedWidth();
        return new FeatureRows(
                all.asSlice(first * width, count * width), count, Source.TARGET);
    }

    private static List<float[]> block(
            BlockNetwork network, KvCache cache, Optional<FeatureRows> features, int root) {
        var tokens = new int[SLOTS];
        tokens[0] = root;
        var logits = new float[GUESSES * network.config().fusion().orElseThrow().headSize()];
        var states = network.states(cache, features, tokens, FIRST, logits);
        return List.of(states, logits);
    }

    private static void assertClose(List<float[]> actual, List<float[]> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int part = 0; part < expected.size(); part++) {
            assertThat(actual.get(part)).hasSameSizeAs(expected.get(part));
            for (int index = 0; index < expected.get(part).length; index++) {
                float number = expected.get(part)[index];
                double scale = Math.max(1, Math.abs(number));
                assertThat(actual.get(part)[index])
                        .describedAs("part %d, number %d", part, index)
                        .isCloseTo(number, within((float) (TOLERANCE * scale)));
            }
        }
    }
}
