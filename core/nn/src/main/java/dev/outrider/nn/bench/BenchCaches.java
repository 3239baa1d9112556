package dev.outrider.nn.bench;

import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The sequences of a benchmark, each with rows in its cache.
final class BenchCaches implements AutoCloseable {
    private static final int PREFILL = 64;

    private final int vocabulary;
    private final List<KvCache> caches = new ArrayList<>();

    /// Fills the caches.
    BenchCaches(DecoderNetwork network, ModelBench.Request request) {
        vocabulary = request.shape().vocabularySize();
        try {
            for (int sequence = 0; sequence < request.sequences(); sequence++) {
                int context = request.context(sequence);
                var cache = network.newCache(context + request.mostRows());
                caches.add(cache);
                fill(network, cache, context);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void fill(DecoderNetwork network, KvCache cache, int context) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        while (cache.length() < context) {
            int count = Math.min(PREFILL, context - cache.length());
            network.forward(List.of(RowBlock.continuing(cache, tokens(count))), nothing).close();
            cache.keep(IntStream.range(0, count).boxed().toList());
        }
    }

    /// A pass of some rows of each sequence.
    List<RowBlock> blocks(int rows) {
        return caches.stream().map(cache -> RowBlock.continuing(cache, tokens(rows))).toList();
    }

    /// Forgets the rows of a pass.
    void dropScratch() {
        caches.forEach(KvCache::dropScratch);
    }

    private int[] tokens(int count) {
        return IntStream.range(0, count).map(index -> (index * 131 + 7) % vocabulary).toArray();
    }

    @Override
    public void close() {
        caches.forEach(KvCache::close);
    }
}
