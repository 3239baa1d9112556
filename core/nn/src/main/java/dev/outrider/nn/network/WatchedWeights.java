package dev.outrider.nn.network;

import dev.outrider.nn.checkpoint.FileMatrix;
import dev.outrider.nn.checkpoint.PackedMatrix;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/// Weights of which the reading is followed: told at each tenth of the parameters. Confined to one thread.
public final class WatchedWeights implements WeightSource {
    private static final int TENTH = 10;

    private final WeightSource source;
    private final DecoderConfig config;
    private final IntConsumer watcher;
    private final long parameters;
    private long read;
    private long told;

    /// @param watcher told how many hundredths have been read: 10, 20, … 100, if not more at once
    public WatchedWeights(WeightSource source, DecoderConfig config, IntConsumer watcher) {
        this.source = source;
        this.config = config;
        this.watcher = watcher;
        this.parameters = Weight.parameters(config);
    }

    @Override
    public Optional<PackedMatrix> stored(Weight weight, int layer, Precision kept) {
        var stored = source.stored(weight, layer, kept);
        stored.ifPresent(_ -> count(weight, layer));
        return stored;
    }

    @Override
    public Optional<FileMatrix> blocks(Weight weight, int layer) {
        var blocks = source.blocks(weight, layer);
        blocks.ifPresent(_ -> count(weight, layer));
        return blocks;
    }

    @Override
    public String formats(Precision kept) {
        return source.formats(kept);
    }

    @Override
    public void read(Weight weight, int layer, Consumer<MemorySegment> reader) {
        source.read(weight, layer, reader);
        count(weight, layer);
    }

    private void count(Weight weight, int layer) {
        read += weight.elements(config, layer);
        long tenths = read * TENTH / parameters;
        if (tenths > told) {
            told = tenths;
            watcher.accept(Math.toIntExact(tenths * TENTH));
        }
    }
}
