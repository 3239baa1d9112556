package dev.outrider.nn.vector;

import static dev.outrider.nn.vector.Lanes.PANEL;

import dev.outrider.common.Require;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.RowCache;
import dev.outrider.nn.vector.Rows.LevelRows;
import dev.outrider.nn.vector.Rows.TiledRows;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.stream.IntStream;

/// Keys and values in the layout of panels. Queries multiply the keys of a head as a matrix with one output for each row of the
/// cache. The weights of attention multiply its values as a matrix with one column for each row.
///
/// In levels, each head's key in a row has a scale that multiplies its scores, and each value has a scale that multiplies its
/// weights.
final class VectorCache extends RowCache {
    private final PanelFormat format;
    private final int heads;
    private final int headSize;
    private final float[] moved;
    private final int keyPanels;
    private final int valuePanels;
    private final Arena arena;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final MemorySegment scales;
    private final int layers;
    private final Optional<VectorCache> source;
    private boolean closed;

    /// Makes an empty cache.
    ///
    /// @param format format of its numbers, without scales; [PanelFormat#rehearse] was called before
    static VectorCache of(DecoderConfig config, int capacity, PanelFormat format) {
        return of(config, capacity, format, Optional.empty());
    }

    /// Makes an empty cache.
    ///
    /// @param source keys and values of the encoder's states of the source; closed with this cache
    static VectorCache of(
            DecoderConfig config, int capacity, PanelFormat format, Optional<VectorCache> source) {
        return Panels.owned(arena -> new VectorCache(config, capacity, format, source, arena));
    }

    private VectorCache(
            DecoderConfig config,
            int capacity,
            PanelFormat format,
            Optional<VectorCache> source,
            Arena arena) {
        super(capacity);
        this.format = format;
        this.arena = arena;
        this.source = source;
        layers = config.layers();
        heads = config.keyValueHeads();
        headSize = config.headSize();
        moved = new float[headSize];
        keyPanels = Math.ceilDiv(capacity, PANEL);
        valuePanels = Math.ceilDiv(headSize, PANEL);
        keys = GrowingMemory.allocate(arena, keyBytes() * layers * heads + Panels.BEYOND);
        values = GrowingMemory.allocate(arena, valueBytes() * layers * heads + Panels.BEYOND);
        scales = GrowingMemory.allocate(arena, 2L * scaleBytes() * layers * heads);
    }

    /// Returns the bytes of a number of rows.
    static long bytes(DecoderConfig config, int rows, PanelFormat format) {
        long key = (long) Lanes.roundedUp(rows, PANEL) * config.headSize();
        long value = (long) rows * Lanes.roundedUp(config.headSize(), PANEL);
        long numbers = (key + value) * format.blocks().bits() / Byte.SIZE;
        return (numbers + 2 * scaleBytes(rows, format)) * config.layers() * config.keyValueHeads();
    }

    /// Returns the bytes of the scales of a head's keys, or of its values.
    private static long scaleBytes(int rows, PanelFormat format) {
        return format == PanelFormat.LEVELS ? (long) Lanes.roundedUp(rows, PANEL) * Float.BYTES : 0;
    }

    /// Returns the format of its numbers.
    PanelFormat format() {
        return format;
    }

    /// Returns the keys and values of the source, with one row for each of its tokens.
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

    MemorySegment scales() {
        return scales;
    }

    /// Returns the start of a panel of a head's keys, `[headSize, PANEL]`.
    long keys(int layer, int head, int panel) {
        return head(layer, head) * keyBytes() + panel * keyPanelBytes();
    }

    /// Returns the start of a panel of a head's values, `[capacity, PANEL]`.
    long values(int layer, int head, int panel) {
        return head(layer, head) * valueBytes() + panel * valuePanelBytes();
    }

    /// Returns the bytes of a panel of keys.
    long keyPanelBytes() {
        return headSize * columnBytes();
    }

    /// Returns the bytes of a panel of values.
    long valuePanelBytes() {
        return capacity() * columnBytes();
    }

    /// Returns the length of a row of values, including the padding of the last panel.
    int valueStride() {
        return valuePanels * PANEL;
    }

    int valuePanels() {
        return valuePanels;
    }

    /// Stores the key and the value of a row. If the cache has levels, the numbers in the arrays are replaced by their levels.
    void write(int layer, int head, int row, float[] key, int keyAt, float[] value, int valueAt) {
        if (scaled()) {
            round(key, keyAt, scale(layer, head, 0, row));
            round(value, valueAt, scale(layer, head, 1, row));
        }
        format.blocks()
                .pack(key, keyAt, headSize, keys, keys(layer, head, row / PANEL), row % PANEL);
        for (int number = 0; number < headSize; number += PANEL) {
            long column = values(layer, head, number / PANEL) + row * columnBytes();
            int count = Math.min(PANEL, headSize - number);
            format.blocks().packColumn(value, valueAt + number, count, values, column);
        }
    }

    private void round(float[] numbers, int at, long scale) {
        scales.set(
                ValueLayout.JAVA_FLOAT, scale, LevelRows.round(numbers, at, headSize, numbers, at));
    }

    /// Multiplies a query's scores by the scales of the keys, if they have any.
    void scaleScores(int layer, int head, float[] scores, int at, int seen) {
        if (scaled()) {
            VectorMath.scale(scores, at, seen, scales, scale(layer, head, 0, 0));
        }
    }

    /// Multiplies weights of attention by the scales of the values, if they have any.
    void scaleWeights(int layer, int head, TiledRows weights) {
        if (scaled()) {
            weights.scale(scales, scale(layer, head, 1, 0));
        }
    }

    /// Copies the first rows of another cache of the same decoder and format, whose capacity may differ, into this empty cache.
    void begin(VectorCache other, int rows) {
        Require.that(
                used() == 0 && rows <= other.length() && format == other.format,
                "%d rows of %d in %s for a cache with %d rows in %s, expected an empty one in the same",
                rows,
                other.length(),
                other.format,
                used(),
                format);
        append(IntStream.range(0, rows).map(other::position).toArray());
        long keyBytes = Math.ceilDiv(rows, PANEL) * keyPanelBytes();
        long valueBytes = rows * columnBytes();
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
                for (int part = 0; scaled() && part < 2; part++) {
                    MemorySegment.copy(
                            other.scales,
                            other.scale(layer, head, part, 0),
                            scales,
                            scale(layer, head, part, 0),
                            (long) rows * Float.BYTES);
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
        var blocks = format.blocks();
        long source = keys(layer, head, from / PANEL);
        for (int number = 0; number < headSize; number++) {
            moved[number] = blocks.number(keys, source, from % PANEL, number);
        }
        blocks.pack(moved, headSize, keys, keys(layer, head, to / PANEL), to % PANEL);
        long bytes = columnBytes();
        for (int panel = 0; panel < valuePanels; panel++) {
            long start = values(layer, head, panel);
            MemorySegment.copy(values, start + from * bytes, values, start + to * bytes, bytes);
        }
        for (int part = 0; scaled() && part < 2; part++) {
            float scale = scales.get(ValueLayout.JAVA_FLOAT, scale(layer, head, part, from));
            scales.set(ValueLayout.JAVA_FLOAT, scale(layer, head, part, to), scale);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            source.ifPresent(VectorCache::close);
            arena.close();
            closed = true;
        }
    }

    private long head(int layer, int head) {
        return (long) layer * heads + head;
    }

    private boolean scaled() {
        return format == PanelFormat.LEVELS;
    }

    /// Returns the place of a row's scale.
    ///
    /// @param part 0 for keys, 1 for values
    long scale(int layer, int head, int part, int row) {
        return (2 * head(layer, head) + part) * scaleBytes() + (long) row * Float.BYTES;
    }

    private long scaleBytes() {
        return scaleBytes(capacity(), format);
    }

    private long columnBytes() {
        return (long) PANEL * format.blocks().bits() / Byte.SIZE;
    }

    private long keyBytes() {
        return keyPanels * keyPanelBytes();
    }

    private long valueBytes() {
        return valuePanels * valuePanelBytes();
    }
}
