package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RowCache;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.stream.IntStream;

/// Keys and values in 32-bit floats, laid out as panels: to the queries the keys of a head are a matrix with an output for
/// each row of the cache, to the weights of attention the values are one with a column for each row.
final class VectorCache extends RowCache {
    private final int heads;
    private final int headSize;
    private final int keyPanels;
    private final int valuePanels;
    private final Arena arena;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final int layers;
    private final Optional<VectorCache> source;
    private boolean closed;

    /// No rows used yet.
    static VectorCache of(DecoderConfig config, int capacity) {
        return of(config, capacity, Optional.empty());
    }

    /// No rows used yet.
    ///
    /// @param source keys and values of what the sequence's encoder read; closed with this
    static VectorCache of(DecoderConfig config, int capacity, Optional<VectorCache> source) {
        return Panels.owned(arena -> new VectorCache(config, capacity, source, arena));
    }

    private VectorCache(
            DecoderConfig config, int capacity, Optional<VectorCache> source, Arena arena) {
        super(capacity);
        this.arena = arena;
        this.source = source;
        layers = config.layers();
        heads = config.keyValueHeads();
        headSize = config.headSize();
        keyPanels = Math.ceilDiv(capacity, PANEL);
        valuePanels = Math.ceilDiv(headSize, PANEL);
        keys = GrowingMemory.allocate(arena, keyBytes() * layers * heads);
        values = GrowingMemory.allocate(arena, valueBytes() * layers * heads);
    }

    /// Bytes that so many rows take.
    static long bytes(DecoderConfig config, int rows) {
        long key = (long) Lanes.roundedUp(rows, PANEL) * config.headSize();
        long value = (long) rows * Lanes.roundedUp(config.headSize(), PANEL);
        return (key + value) * config.layers() * config.keyValueHeads() * Float.BYTES;
    }

    /// Keys and values of the source: as many rows as it has tokens.
    VectorCache source() {
        return source.orElseThrow(
                () -> new IllegalArgumentException("the cache was made without a source"));
    }

    MemorySegment keys() {
        return keys;
    }

    MemorySegment values() {
        return values;
    }

    /// Where a panel of a head's keys begins, `[headSize, PANEL]`.
    long keys(int layer, int head, int panel) {
        return head(layer, head) * keyBytes() + panel * keyPanelBytes();
    }

    /// Where a panel of a head's values begins, `[capacity, PANEL]`.
    long values(int layer, int head, int panel) {
        return head(layer, head) * valueBytes() + panel * valuePanelBytes();
    }

    /// Bytes of a panel of keys.
    long keyPanelBytes() {
        return (long) headSize * PANEL * Float.BYTES;
    }

    /// Bytes of a panel of values.
    long valuePanelBytes() {
        return (long) capacity() * PANEL * Float.BYTES;
    }

    /// Numbers of a row of values, those that fill the last panel included.
    int valueStride() {
        return valuePanels * PANEL;
    }

    int valuePanels() {
        return valuePanels;
    }

    /// Stores the key and the value of a row.
    void write(int layer, int head, int row, float[] key, int keyAt, float[] value, int valueAt) {
        long first = keys(layer, head, row / PANEL) / Float.BYTES + row % PANEL;
        for (int number = 0; number < headSize; number++) {
            keys.setAtIndex(
                    ValueLayout.JAVA_FLOAT, first + (long) number * PANEL, key[keyAt + number]);
        }
        for (int number = 0; number < headSize; number += PANEL) {
            MemorySegment.copy(
                    value,
                    valueAt + number,
                    values,
                    ValueLayout.JAVA_FLOAT,
                    values(layer, head, number / PANEL) + (long) row * PANEL * Float.BYTES,
                    Math.min(PANEL, headSize - number));
        }
    }

    /// Takes over the first rows of another cache of the same decoder, which may be of another capacity. This one is empty.
    void begin(VectorCache other, int rows) {
        Require.that(
                used() == 0 && rows <= other.length(),
                "%d rows of %d for a cache with %d rows, expected an empty one",
                rows,
                other.length(),
                used());
        append(IntStream.range(0, rows).map(other::position).toArray());
        long keyBytes = Math.ceilDiv(rows, PANEL) * keyPanelBytes();
        long valueBytes = (long) rows * PANEL * Float.BYTES;
        for (int layer = 0; layer < layers; layer++) {
            for (int head = 0; head < heads; head++) {
                MemorySegment.copy(
                        other.keys,
                        other.keys(layer, head, 0),
                        keys,
                        keys(layer, head, 0),
                        keyBytes);
                for (int panel = 0; panel < valuePanels; panel++) {
                    MemorySegment.copy(
                            other.values,
                            other.values(layer, head, panel),
                            values,
                            values(layer, head, panel),
                            valueBytes);
                }
            }
        }
        keep(IntStream.range(0, rows).boxed().toList());
    }

    @Override
    protected void move(int[] kept, int destination) {
        for (int index = 0; index < kept.length; index++) {
            if (kept[index] != destination + index) {
                for (int layer = 0; layer < layers; layer++) {
                    for (int head = 0; head < heads; head++) {
                        copy(layer, head, kept[index], destination + index);
                    }
                }
            }
        }
    }

    private void copy(int layer, int head, int from, int to) {
        long source = keys(layer, head, from / PANEL) / Float.BYTES + from % PANEL;
        long target = keys(layer, head, to / PANEL) / Float.BYTES + to % PANEL;
        for (int number = 0; number < headSize; number++) {
            long step = (long) number * PANEL;
            keys.setAtIndex(
                    ValueLayout.JAVA_FLOAT,
                    target + step,
                    keys.getAtIndex(ValueLayout.JAVA_FLOAT, source + step));
        }
        long bytes = (long) PANEL * Float.BYTES;
        for (int panel = 0; panel < valuePanels; panel++) {
            long start = values(layer, head, panel);
            MemorySegment.copy(values, start + from * bytes, values, start + to * bytes, bytes);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            source.ifPresent(VectorCache::close);
            arena.close();
        }
    }

    private long head(int layer, int head) {
        return (long) layer * heads + head;
    }

    private long keyBytes() {
        return keyPanels * keyPanelBytes();
    }

    private long valueBytes() {
        return valuePanels * valuePanelBytes();
    }
}
