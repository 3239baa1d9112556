package dev.outrider.nn.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outrider.nn.checkpoint.HalfFloats;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Any sequence of appended, kept and truncated rows leaves the keys and values that a list of rows would have.
class VectorCacheTest {
    private static final int ROUNDS = 400;
    private static final int CAPACITY = 3 * Lanes.PANEL + 5;

    private final SplittableRandom random = new SplittableRandom(11);
    private final DecoderConfig config =
            DecoderConfig.builder()
                    .vocabularySize(3)
                    .hiddenSize(12)
                    .intermediateSize(4)
                    .layers(2)
                    .heads(4)
                    .keyValueHeads(2)
                    .headSize(6)
                    .maxPositions(CAPACITY)
                    .build();

    @ParameterizedTest
    @EnumSource
    void rowsAreWhereAListHasThem(CachePrecision precision) {
        var committed = new ArrayList<Integer>();
        int stamp = 0;
        try (var cache = VectorCache.of(config, CAPACITY, PanelFormat.of(precision))) {
            for (int round = 0; round < ROUNDS; round++) {
                int room = CAPACITY - cache.used();
                var scratch = new ArrayList<Integer>();
                int count = room == 0 ? 0 : random.nextInt(Math.min(room, 9)) + 1;
                cache.append(IntStream.range(0, count).map(i -> i % CAPACITY).toArray());
                for (int row = 0; row < count; row++) {
                    write(cache, cache.used() - count + row, ++stamp);
                    scratch.add(stamp);
                }
                var kept =
                        IntStream.range(0, count)
                                .filter(_ -> random.nextInt(3) > 0)
                                .boxed()
                                .toList();
                cache.keep(kept);
                kept.forEach(row -> committed.add(scratch.get(row)));
                if (random.nextInt(8) == 0 || room < 9) {
                    int length = random.nextInt(committed.size() + 1);
                    cache.truncate(length);
                    committed.subList(length, committed.size()).clear();
                }
                assertThat(cache.length()).isEqualTo(committed.size());
                check(cache, committed);
            }
        }
    }

    private void write(VectorCache cache, int row, int stamp) {
        for (int layer = 0; layer < 2; layer++) {
            for (int head = 0; head < 2; head++) {
                var key = new float[6];
                var value = new float[6];
                for (int number = 0; number < 6; number++) {
                    key[number] = number(stamp, layer, head, number);
                    value[number] = -key[number];
                }
                cache.write(layer, head, row, key, 0, value, 0);
            }
        }
    }

    private static float number(int stamp, int layer, int head, int number) {
        return stamp * 100 + layer * 50 + head * 10 + number;
    }

    /// Every number of a committed row is that of its stamp, rounded as the cache keeps it.
    private static void check(VectorCache cache, List<Integer> stamps) {
        for (int row = 0; row < stamps.size(); row++) {
            for (int layer = 0; layer < 2; layer++) {
                for (int head = 0; head < 2; head++) {
                    for (int number = 0; number < 6; number++) {
                        int stamp = stamps.get(row);
                        float exact = number(stamp, layer, head, number);
                        float expected =
                                switch (cache.format()) {
                                    case F32 -> exact;
                                    case BF16 ->
                                            HalfFloats.fromBfloat16(HalfFloats.toBfloat16(exact));
                                    default -> {
                                        float most = number(stamp, layer, head, 5);
                                        assertThat(scale(cache, layer, head, 0, row))
                                                .isEqualTo(most / 127);
                                        assertThat(scale(cache, layer, head, 1, row))
                                                .isEqualTo(most / 127);
                                        yield (float) Math.rint(exact * (127 / most));
                                    }
                                };
                        assertThat(key(cache, layer, head, row, number)).isEqualTo(expected);
                        assertThat(value(cache, layer, head, row, number)).isEqualTo(-expected);
                    }
                }
            }
        }
    }

    private static float scale(VectorCache cache, int layer, int head, int part, int row) {
        return cache.scales().get(ValueLayout.JAVA_FLOAT, cache.scale(layer, head, part, row));
    }

    private static float key(VectorCache cache, int layer, int head, int row, int number) {
        long panel = cache.keys(layer, head, row / Lanes.PANEL);
        return cache.format().blocks().number(cache.keys(), panel, row % Lanes.PANEL, number);
    }

    private static float value(VectorCache cache, int layer, int head, int row, int number) {
        long panel = cache.values(layer, head, number / Lanes.PANEL);
        return cache.format().blocks().number(cache.values(), panel, number % Lanes.PANEL, row);
    }
}
