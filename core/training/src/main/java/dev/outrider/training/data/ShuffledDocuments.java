package dev.outrider.training.data;

import dev.outrider.training.data.DataConfig.Split;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// The documents of a source without end, epoch after epoch, in an order drawn from the seed: the blocks are shuffled, and the
/// documents of [#WINDOW] blocks at a time. Only these are in memory. Confined.
final class ShuffledDocuments implements Iterator<Document> {
    /// The number of blocks whose documents are shuffled together.
    static final int WINDOW = 16;

    private final DataSource source;
    private final Split split;
    private final long seed;
    private final Deque<Integer> blocks = new ArrayDeque<>();
    private final Deque<Document> documents = new ArrayDeque<>();
    private SplittableRandom random;
    private int epoch;
    private boolean found = true;

    /// @param seed of the order
    ShuffledDocuments(DataSource source, Split split, long seed) {
        this.source = source;
        this.split = split;
        this.seed = seed;
        random = new SplittableRandom(seed);
    }

    @Override
    public boolean hasNext() {
        return true;
    }

    /// @throws NoSuchElementException if the source has no document of that split
    @Override
    public Document next() {
        while (documents.isEmpty()) {
            if (blocks.isEmpty()) {
                nextEpoch();
            }
            fill();
        }
        return documents.removeFirst();
    }

    private void nextEpoch() {
        if (!found) {
            throw new NoSuchElementException();
        }
        found = false;
        random = new SplittableRandom(seed + 0x9E3779B97F4A7C15L * epoch++);
        var order = new ArrayList<>(IntStream.range(0, source.blocks()).boxed().toList());
        Collections.shuffle(order, random);
        blocks.addAll(order);
    }

    private void fill() {
        var window = new ArrayList<Document>();
        var some = new ArrayList<Integer>();
        for (int i = 0; i < WINDOW && !blocks.isEmpty(); i++) {
            some.add(blocks.removeFirst());
        }
        source.read(some).stream().filter(split::has).forEach(window::add);
        Collections.shuffle(window, random);
        documents.addAll(window);
        found |= !window.isEmpty();
    }
}
