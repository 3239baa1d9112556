package dev.outrider.nn.target;

import dev.outrider.common.Require;
import dev.outrider.common.Undo;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassScores.SharedPass;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Partial passes of one sequence: the rows of a drafter that uses the target itself, as scratch rows of the target's cache.
///
/// Confined to the session's thread.
final class DraftRows implements PartialPasses {
    private final NetworkSession session;
    private final LayeredNetwork network;
    private final KvCache cache;
    private final List<PassRow> rows = new ArrayList<>();
    private final List<SharedPass> passes = new ArrayList<>();
    private Optional<LayerSubset> layers = Optional.empty();
    private Optional<TokenTree> tree = Optional.empty();

    DraftRows(NetworkSession session, LayeredNetwork network, KvCache cache) {
        this.session = session;
        this.network = network;
        this.cache = cache;
    }

    @Override
    public int room() {
        return cache.capacity() - cache.length();
    }

    @Override
    public void begin(LayerSubset subset) {
        try (var _ = session.entered()) {
            requireLayers(subset);
            session.dropUndecided();
            layers = Optional.of(subset);
        }
    }

    @Override
    public TargetScores grow(TokenTree wanted) {
        try (var _ = session.entered()) {
            session.requireFits(wanted);
            return grown(wanted);
        }
    }

    private TargetScores scores(SharedPass pass, int rows) {
        return PassScores.inOrder(
                pass, rows, Set.of(), session.model().description().vocabularySize());
    }

    private TargetScores grown(TokenTree wanted) {
        var subset =
                layers.orElseThrow(() -> new IllegalStateException("no draft passes were begun"));
        int before = tree.map(TokenTree::size).orElse(0);
        Require.that(
                before != wanted.size() && tree.map(wanted::startsWith).orElse(true),
                "the tree of %d nodes does not add to the %d that were run",
                wanted.size(),
                before);
        var block = RowBlock.ofTree(cache, wanted, before);
        boolean reused = subset instanceof LayerSubset.First;
        return Undo.onFailure(
                () -> session.dropUndecided(),
                () -> {
                    var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, states(subset));
                    var result = network.forward(List.of(block), outputs, subset);
                    var shared = new SharedPass(result, reused ? 2 : 1);
                    int added = wanted.size() - before;
                    if (reused) {
                        passes.add(shared);
                        IntStream.range(0, added)
                                .forEach(row -> rows.add(new PassRow(result, row)));
                    }
                    tree = Optional.of(wanted);
                    return scores(shared, added);
                });
    }

    /// Returns the states that a draft pass keeps for the verifying pass: its last state, and the session's states of lower layers.
    private Set<HiddenState> states(LayerSubset subset) {
        return subset instanceof LayerSubset.First(int layer)
                ? statesUpTo(layer, session.hiddenStates())
                : Set.of();
    }

    /// Returns a layer's state, and those of the others that are from the same or earlier layers.
    static Set<HiddenState> statesUpTo(int layer, Set<HiddenState> others) {
        var states = new HashSet<HiddenState>();
        states.add(new HiddenState.AfterLayer(layer));
        others.stream()
                .filter(each ->
                        each instanceof HiddenState.AfterLayer(int layers) && layers <= layer)
                .forEach(states::add);
        return states;
    }

    /// Returns the rows that the verifying pass can continue.
    Optional<GrownTree> reusable() {
        return layers.isPresent() && layers.get() instanceof LayerSubset.First(int layer)
                ? tree.map(each -> new GrownTree(each, layer, rows))
                : Optional.empty();
    }

    /// Drops the rows of partial passes. They stay in the cache.
    void clear() {
        passes.forEach(SharedPass::release);
        passes.clear();
        rows.clear();
        layers = Optional.empty();
        tree = Optional.empty();
    }

    private void requireLayers(LayerSubset subset) {
        int most = network.layers();
        boolean there =
                switch (subset) {
                    case LayerSubset.First(int first) -> first <= most;
                    case LayerSubset.Without(var attention, var feedForward) ->
                            attention.stream().allMatch(layer -> layer < most)
                                    && feedForward.stream().allMatch(layer -> layer < most);
                };
        if (!there) {
            throw TargetErrors.noSuchLayers(session.model().description().name(), subset, most);
        }
    }
}
