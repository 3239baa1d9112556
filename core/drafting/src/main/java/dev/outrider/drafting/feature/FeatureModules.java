package dev.outrider.drafting.feature;

import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// The draft layers of one sequence: a cache for each, and the states of their newest rows of true features.
///
/// Most drafters have one layer. If there are several, a row of a later layer pairs the previous layer's state of the token before
/// with the token's embedding; rows of the first layer get the target's features. All layers predict the following token. Layer k
/// (from 1) has no rows for the first k tokens, and its row for token j is at
/// position j - k (docs/reference/algorithms.md A7.1).
///
/// Confined to one thread.
final class FeatureModules implements AutoCloseable {
    private final List<FeatureNetwork> networks;
    private final List<KvCache> caches = new ArrayList<>();
    private final Optional<HiddenState> recycled;
    private final HiddenState passedOn;
    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> newest = new ArrayList<>();
    private final boolean[] known;
    private Optional<PassResult> rootPass = Optional.empty();
    private MemorySegment rootLogits = MemorySegment.NULL;

    /// @param rows rows of each cache
    FeatureModules(List<FeatureNetwork> networks, Recycling recycling, int rows) {
        this.networks = networks;
        var config = networks.getFirst().config();
        recycled = recycling.state(config);
        passedOn = recycled.orElse(new HiddenState.AfterFinalNorm());
        known = new boolean[networks.size()];
        for (int module = 0; module < networks.size(); module++) {
            caches.add(networks.get(module).newCache(rows));
            boolean targets = recycled.isEmpty() && module == networks.size() - 1;
            long width =
                    targets ? config.fusion().orElseThrow().capturedWidth() : config.hiddenSize();
            newest.add(arena.allocate(width * Float.BYTES, Float.BYTES));
        }
    }

    int size() {
        return networks.size();
    }

    FeatureNetwork network(int module) {
        return networks.get(module);
    }

    KvCache cache(int module) {
        return caches.get(module);
    }

    /// Returns the state that the last layer passes on to itself; empty if every guess reads the target's newest feature.
    Optional<HiddenState> recycled() {
        return recycled;
    }

    /// Returns the state that a layer passes on to the next one.
    HiddenState passedOn() {
        return passedOn;
    }

    /// Returns the committed rows of the first layer.
    int length() {
        return caches.getFirst().length();
    }

    /// Returns whether the root's row has been run and its logits kept.
    boolean rootKnown() {
        return rootPass.isPresent();
    }

    /// Returns the logits of the root's successors; valid until the next feed.
    MemorySegment rootLogits() {
        return rootLogits;
    }

    /// Returns whether a layer has a row for the root.
    boolean rootKnown(int module) {
        return known[module];
    }

    /// Returns the state that a layer's row for the root passes on; valid until the next feed.
    MemorySegment rootState(int module) {
        return newest.get(module);
    }

    /// Drops the rows of guesses.
    void dropScratch() {
        caches.forEach(KvCache::dropScratch);
    }

    /// Runs rows of true features through all layers and keeps them.
    ///
    /// @param captured  features of the target, a row per token; native memory
    /// @param tokens    the tokens after them
    /// @param rootWanted whether the last token is the root, whose logits and state are needed
    void feed(MemorySegment captured, int[] tokens, boolean rootWanted) {
        forgetRoot();
        try (var scratch = Arena.ofConfined()) {
            var features = new FeatureRows(captured, tokens.length, FeatureRows.Source.TARGET);
            int[] rowTokens = tokens;
            for (int module = 0; module < size(); module++) {
                boolean last = module == size() - 1;
                var pass =
                        networks.get(module)
                                .forward(
                                        RowBlock.continuing(caches.get(module), rowTokens),
                                        features,
                                        outputs(module, rootWanted));
                int rows = rowTokens.length;
                caches.get(module).keep(IntStream.range(0, rows).boxed().toList());
                if (!last) {
                    var next = successors(module, pass, rowTokens, scratch);
                    store(module, pass.hidden(passedOn, rows - 1));
                    if (next.isPresent()) {
                        features = next.get().features();
                        rowTokens = next.get().tokens();
                    }
                    finish(module, pass, rows, rootWanted);
                    if (next.isEmpty()) {
                        return;
                    }
                } else {
                    if (rootWanted) {
                        store(
                                module,
                                recycled.map(state -> pass.hidden(state, rows - 1))
                                        .orElseGet(() -> lastRow(captured, tokens.length)));
                    }
                    finish(module, pass, rows, rootWanted);
                }
            }
        }
    }

    @Override
    public void close() {
        forgetRoot();
        caches.forEach(KvCache::close);
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private record Rows(FeatureRows features, int[] tokens) {}

    /// Returns the next layer's rows: this layer's states of the token before each token. The first of them is from an earlier
    /// feed, if there was one.
    private Optional<Rows> successors(int module, PassResult pass, int[] tokens, Arena scratch) {
        int carried = known[module] ? 1 : 0;
        int rows = tokens.length - 1 + carried;
        if (rows == 0) {
            return Optional.empty();
        }
        long bytes = newest.get(module).byteSize();
        var features = scratch.allocate(rows * bytes, Float.BYTES);
        if (carried == 1) {
            MemorySegment.copy(newest.get(module), 0, features, 0, bytes);
        }
        for (int row = 0; row < tokens.length - 1; row++) {
            MemorySegment.copy(
                    pass.hidden(passedOn, row), 0, features, (row + carried) * bytes, bytes);
        }
        return Optional.of(
                new Rows(
                        new FeatureRows(features, rows, FeatureRows.Source.RECYCLED),
                        Arrays.copyOfRange(tokens, tokens.length - rows, tokens.length)));
    }

    private PassOutputs outputs(int module, boolean rootWanted) {
        boolean last = module == size() - 1;
        Set<HiddenState> states =
                !last
                        ? Set.of(passedOn)
                        : rootWanted ? recycled.map(Set::of).orElse(Set.of()) : Set.of();
        return new PassOutputs(
                module == 0 && rootWanted ? PassOutputs.LogitRows.LAST : PassOutputs.LogitRows.NONE,
                states);
    }

    private void finish(int module, PassResult pass, int rows, boolean rootWanted) {
        if (module == 0 && rootWanted) {
            rootPass = Optional.of(pass);
            rootLogits = pass.logits(rows - 1);
        } else {
            pass.close();
        }
    }

    private void store(int module, MemorySegment state) {
        newest.get(module).copyFrom(state);
        known[module] = true;
    }

    private static MemorySegment lastRow(MemorySegment rows, int count) {
        long bytes = rows.byteSize() / count;
        return rows.asSlice((count - 1) * bytes, bytes);
    }

    private void forgetRoot() {
        rootPass.ifPresent(PassResult::close);
        rootPass = Optional.empty();
        rootLogits = MemorySegment.NULL;
    }
}
