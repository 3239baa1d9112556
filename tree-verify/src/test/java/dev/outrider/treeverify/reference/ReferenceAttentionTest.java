package dev.outrider.treeverify.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.treeverify.pass.PassStaging;
import dev.outrider.treeverify.pass.ProgramShape;
import dev.outrider.treeverify.reference.ReferenceKernels.ReferenceAttention;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The joined chunks equal one softmax over all keys.
class ReferenceAttentionTest {
    private static final int KEY_HEADS = 2;
    private static final int HEADS = 4;
    private static final int HEAD_SIZE = 6;
    private static final int CACHE_ROWS = 120;

    @Test
    void theLengthOfChunksChangesNothing() {
        for (int seed = 0; seed < 40; seed++) {
            var random = new SplittableRandom(seed);
            int chunk = 1 + random.nextInt(30);
            int window = random.nextBoolean() ? 1 + random.nextInt(60) : 0;
            var staging = new PassStaging(shape());
            for (int row = 0; row < 8; row++) {
                var mask = new BitSet();
                int slot = random.nextInt(60);
                mask.set(slot);
                for (int bit = random.nextInt(40); bit > 0; bit--) {
                    mask.set(random.nextInt(60));
                }
                int prefix = random.nextInt(CACHE_ROWS - 60);
                staging.add(0, 0, 0, slot, prefix, mask, false);
            }
            float[] queries = numbers(random, 8 * HEADS * HEAD_SIZE);
            float[] keys = numbers(random, CACHE_ROWS * KEY_HEADS * HEAD_SIZE);
            float[] values = numbers(random, keys.length);
            float[] sinks = numbers(random, seed % 2 * HEADS);

            assertThat(attended(staging, queries, keys, values, sinks, window, chunk))
                    .describedAs("seed %d, chunk %d, window %d", seed, chunk, window)
                    .containsExactly(
                            attended(staging, queries, keys, values, sinks, window, CACHE_ROWS),
                            within(3e-6f));
        }
    }

    private static float[] attended(
            PassStaging staging,
            float[] queries,
            float[] keys,
            float[] values,
            float[] sinks,
            int window,
            int chunk) {
        int chunks = Math.ceilDiv(CACHE_ROWS, chunk);
        var to = new float[queries.length];
        var results = new float[8 * HEADS * chunks * (HEAD_SIZE + 2)];
        int[] pass = staging.numbers();
        ReferenceAttention.attend(
                pass,
                staging.masks(),
                queries,
                keys,
                values,
                to,
                results,
                sinks,
                0,
                HEADS,
                KEY_HEADS,
                HEAD_SIZE,
                window,
                0.4f,
                8,
                1,
                chunk,
                chunks);
        ReferenceAttention.reduce(pass, results, to, HEADS, HEAD_SIZE, window, 8, chunk, chunks);
        return to;
    }

    private static ProgramShape shape() {
        var config =
                DecoderConfig.builder()
                        .vocabularySize(8)
                        .hiddenSize(24)
                        .intermediateSize(8)
                        .layers(1)
                        .heads(HEADS)
                        .keyValueHeads(KEY_HEADS)
                        .headSize(HEAD_SIZE)
                        .maxPositions(CACHE_ROWS)
                        .tiedHead(true)
                        .firstWindowLayer(1)
                        .build();
        return new ProgramShape(config, 8, 1, CACHE_ROWS, 1);
    }

    private static float[] numbers(SplittableRandom random, int count) {
        var numbers = new float[count];
        for (int index = 0; index < count; index++) {
            numbers[index] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
