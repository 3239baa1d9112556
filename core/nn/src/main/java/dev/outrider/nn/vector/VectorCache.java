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

/// Keys and values, laid out as panels: to the queries the keys of a head are a matrix with an output for
/// each row of the cache, to the weights of attention the values are one with a column for each row.
///
/// Those in levels have a scale for each head's key in a row, by which its scores are multiplied, and another for its value, by which its
/// weights are.
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

    /// No rows used yet.
    ///
    /// @param format of its numbers, one without scales; it is [PanelFormat#rehearse]d
    static VectorCache of(DecoderConfig config, int capacity, PanelFormat format) {
        return of(config, capacity, format, Optional.empty());
    }

    /// No rows used yet.
    ///
    /// @param source keys and values of what the sequence's encoder read; closed with this
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

    /// Bytes that so many rows take.
    static long bytes(DecoderConfig config, int rows, PanelFormat format) {
        long key = (long) Lanes.roundedUp(rows, PANEL) * config.headSize();
        long value = (long) rows * Lanes.roundedUp(config.headSize(), PANEL);
        long numbers = (key + value) * format.blocks().bits() / Byte.SIZE;
        return (numbers + 2 * scaleBytes(rows, format)) * config.layers() * config.keyValueHeads();
    }

    /// Bytes of the scales of a head's keys, or of its values.
    private static long scaleBytes(int rows, PanelFormat format) {
        return format == PanelFormat.LEVELS ? (long) Lanes.roundedUp(rows, PANEL) * Float.BYTES : 0;
    }

    /// The format of its numbers.
    PanelFormat format() {
        return format;
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

    MemorySegment scales() {
        return scales;
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
        return headSize * columnBytes();
    }

    /// Bytes of a panel of values.
    long valuePanelBytes() {
        return capacity() * columnBytes();
    }

    /// Numbers of a row of values, those that fill the last panel included.
    int valueStride() {
        return valuePanels * PANEL;
    }

    int valuePanels() {
        return valuePanels;
    }

    /// Stores the key and the value of a row; where they are kept in levels, the arrays have these instead afterwards.
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

    /// Takes over the first rows of another cache of the same decoder and format, which may be of another capacity. This one is empty.
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
            closed = true;
            source.ifPresent(VectorCache::close);
            arena.close();
        }
    }

    private long head(int layer, int head) {
        return (long) layer * heads + head;
    }

    private boolean scaled() {
        return format == PanelFormat.LEVELS;
    }

    /// Where the scale of a row is.
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
