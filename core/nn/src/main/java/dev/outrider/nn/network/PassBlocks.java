package dev.outrider.nn.network;

import ai.djl.pytorch.engine.PtNDManager;
import dev.outrider.nn.runtime.Tensor;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/// What the generated code is told of a pass' sequences, in the order of its blocks.
///
/// @param caches  keys and values of each
/// @param spans   [DecoderScript#SPAN] numbers of each
/// @param masks   two of each: for layers without a window, and with one
/// @param sources keys and values of each one's source, for a decoder that attends to one
/// @param keys    positions of each one's cache rows, for a stack in which distances count
record PassBlocks(
        List<Tensor> caches,
        List<Long> spans,
        List<Tensor> masks,
        List<Tensor> sources,
        List<Tensor> keys) {
    /// Appends the rows of a pass to their caches.
    ///
    /// @param scratch owner of what is made
    /// @param arena   of its memory
    static PassBlocks append(
            PassPlan plan, DecoderConfig config, PtNDManager scratch, Arena arena) {
        var made =
                new PassBlocks(
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>(),
                        new ArrayList<>());
        var window = anyWindow(config);
        for (int index = 0; index < plan.blocks().size(); index++) {
            made.append(plan.blocks().get(index), plan.starts()[index], window, scratch, arena);
            var cache = (ScriptedCache) plan.blocks().get(index).cache();
            if (config.crosses()) {
                made.sources.add(cache.source());
            }
            if (config.form().positions() instanceof Positions.Relative) {
                made.keys.add(positions(cache.rows(), scratch));
            }
        }
        return made;
    }

    private void append(
            RowBlock block, int start, OptionalInt window, PtNDManager scratch, Arena arena) {
        var cache = (ScriptedCache) block.cache();
        int before = cache.used();
        cache.rows().append(block.positions());
        var full = AttentionMask.of(cache.rows(), before, block, OptionalInt.empty());
        var windowed =
                window.isPresent() ? AttentionMask.of(cache.rows(), before, block, window) : full;
        caches.add(cache.tensor());
        var fullMask = full.tensor(scratch, arena);
        masks.add(fullMask);
        masks.add(window.isPresent() ? windowed.tensor(scratch, arena) : fullMask);
        spans.addAll(
                List.of(
                        (long) start,
                        (long) start + block.tokens().length,
                        (long) before,
                        (long) full.firstKey(),
                        (long) windowed.firstKey()));
    }

    private static Tensor positions(CacheRows rows, PtNDManager scratch) {
        return Tensor.of(
                scratch.create(
                        IntStream.range(0, rows.used())
                                .mapToLong(row -> rows.position(row))
                                .toArray()));
    }

    private static OptionalInt anyWindow(DecoderConfig config) {
        return IntStream.range(0, config.layers())
                .mapToObj(config::window)
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElse(OptionalInt.empty());
    }
}
