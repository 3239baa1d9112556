package dev.outrider.treeverify.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.network.RandomWeights;
import dev.outrider.treeverify.pass.ProgramMemory;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.pass.RandomDecoders;
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
            var config =
                    seed % 2 == 0 ? RandomDecoders.config(random) : RandomDecoders.experts(random);
            // Random windows have one chunk, or two.
            var shape = new ProgramShape(config, 8, 3, 70, 5).withKeyChunk(5);
            var arrays =
                    new DeviceArrays(
                            shape, new WeightLoader(shape, new RandomWeights(config, seed, 1)));
            long bytes =
                    Arrays.stream(arrays.resident())
                            .mapToLong(array -> ((TornadoNativeArray) array).getNumBytesOfSegment())
                            .sum();

            assertThat(bytes + arrays.masks.getNumBytesOfSegment())
                    .describedAs("seed %d", seed)
                    .isEqualTo(ProgramMemory.of(shape).bytes());
        }
    }
}
