package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
import dev.outrider.treeverify.pass.RandomLayers;
import dev.outrider.treeverify.pass.WeightLoader;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/// The memory that is calculated beforehand equals the allocated memory.
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

    private static void check(String what, DecoderConfig config) {
        // Random windows have one chunk, or two.
        var shape = new ProgramShape(config, 8, 3, 70, 5).withKeyChunk(5);
        var arrays =
                new DeviceArrays(shape, new WeightLoader(shape, new RandomWeights(config, 1, 1)));
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
