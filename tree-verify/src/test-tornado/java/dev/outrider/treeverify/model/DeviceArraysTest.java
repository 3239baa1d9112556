package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.RandomLayers;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/// The memory that is calculated beforehand equals the allocated memory.
@Tag("quick")
class DeviceArraysTest {
    @Test
    void takeWhatWasComputed() {
        for (int seed = 0; seed < 20; seed++) {
            var random = new SplittableRandom(seed);
            check("seed " + seed, RandomDecoders.config(random));
            check("experts, seed " + seed, RandomDecoders.experts(random));
        }
        RandomLayers.all().forEach(DeviceArraysTest::check);
    }

    /// So `BusBytesTest` counts what is copied to the device before a run.
    @Test
    void takeTheNumbersThatAreStaged() {
        RandomLayers.all()
                .forEach((what, config) -> {
                    var shape = new ProgramShape(config, 8, 3, 70, 5);
                    var staging = new PassStaging(shape);
                    var arrays = arrays(shape);
                    var fusion = arrays.fusion.orElseThrow();
                    assertThat(arrays.pass.getSize()).isEqualTo(staging.numbers().length);
                    assertThat(arrays.masks.getSize()).isEqualTo(staging.masks().length);
                    assertThat(fusion.captured.getSize()).isEqualTo(staging.captured().length);
                    assertThat(fusion.features.getSize())
                            .describedAs(what)
                            .isEqualTo(staging.features().length);
                });
    }

    private static DeviceArrays arrays(ProgramShape shape) {
        var weights = new RandomWeights(shape.config(), 1, 1);
        return new DeviceArrays(shape, new WeightLoader(shape, weights));
    }

    private static void check(String what, DecoderConfig config) {
        // Random windows have one chunk, or two.
        var shape = new ProgramShape(config, 8, 3, 70, 5).withKeyChunk(5);
        var arrays = arrays(shape);
        long bytes =
                Arrays.stream(arrays.resident())
                        .mapToLong(array -> ((TornadoNativeArray) array).getNumBytesOfSegment())
                        .sum();
        long features =
                arrays.fusion.map(each -> each.features.getNumBytesOfSegment()).orElse(0L);

        assertThat(bytes + features + arrays.masks.getNumBytesOfSegment())
                .describedAs(what)
                .isEqualTo(ProgramMemory.of(shape).bytes());
    }
}
