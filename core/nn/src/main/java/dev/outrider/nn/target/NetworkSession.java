package dev.outrider.nn.target;

import dev.outrider.common.Confinement;
import dev.outrider.common.HeldTree;
import dev.outrider.common.Require;
import dev.outrider.common.Undo;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.LayeredNetwork;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassScores.PrefillStates;
import dev.outrider.nn.target.ScoringPass.StagedTree;
import dev.outrider.spi.target.ForestSession;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.PartialPasses;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One sequence of a decoder network.
final class NetworkSession implements ForestSession {
    private final NetworkTarget model;
    private final KvCache cache;
    private final Set<HiddenState> hiddenStates;
    private final Confinement confinement = new Confinement();
    private final HeldTree held = new HeldTree();
    private final Optional<DraftRows> draftRows;
    private Optional<StagedTree> scored = Optional.empty();

    NetworkSession(NetworkTarget model, KvCache cache, Set<HiddenState> hiddenStates) {
        this.model = model;
        this.cache = cache;
        this.hiddenStates = hiddenStates;
        this.draftRows =
                model.network() instanceof LayeredNetwork layered
                        ? Optional.of(new DraftRows(this, layered, cache))
                        : Optional.empty();
    }

    @Override
    public int length() {
        return cache.length();
    }

    @Override
    public int capacity() {
        return cache.capacity();
    }

    @Override
    public HiddenStates prefill(int[] tokens) {
        try (var _ = entered()) {
            return prefilled(tokens);
        }
    }

    private HiddenStates prefilled(int[] tokens) {
        requireFits(tokens);
        dropUndecided();
        var beginning =
                cache.length() == 0
                        ? model.beginning(tokens, hiddenStates)
                        : Optional.<PromptStore.Beginning>empty();
        return beginning.isPresent() ? continued(beginning.get(), tokens) : read(tokens);
    }

    /// Copies the rows of a kept beginning, and reads the rest.
    HiddenStates continued(PromptStore.Beginning beginning, int[] tokens) {
        boolean done = false;
        try {
            model.copy(beginning.session().cache, beginning.rows(), cache);
            var rest = read(Arrays.copyOfRange(tokens, beginning.rows(), tokens.length));
            done = !hiddenStates.isEmpty();
            return done ? beginning.followedBy(rest) : noStates(tokens.length);
        } finally {
            if (!done) {
                beginning.close();
            }
        }
    }

    /// Runs tokens through the network, also tokens that another session has read.
    HiddenStates read(int[] tokens) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.NONE, hiddenStates);
        var passes = new ArrayList<PassResult>();
        var states =
                Undo.onFailure(
                        () -> passes.forEach(PassResult::close),
                        () -> {
                            for (int start = 0;
                                    start < tokens.length;
                                    start += NetworkTarget.PREFILL_ROWS) {
                                int end =
                                        Math.min(tokens.length, start + NetworkTarget.PREFILL_ROWS);
                                passes.add(pass(Arrays.copyOfRange(tokens, start, end), outputs));
                            }
                            return new PrefillStates(
                                    passes, NetworkTarget.PREFILL_ROWS, tokens.length);
                        });
        if (hiddenStates.isEmpty()) {
            states.close();
            return noStates(tokens.length);
        }
        return states;
    }

    private static HiddenStates noStates(int tokens) {
        return new PrefillStates(List.of(), NetworkTarget.PREFILL_ROWS, tokens);
    }

    private PassResult pass(int[] rows, PassOutputs outputs) {
        var pass = model.network().forward(List.of(RowBlock.continuing(cache, rows)), outputs);
        cache.keep(IntStream.range(0, rows.length).boxed().toList());
        return pass;
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == PartialPasses.class ? draftRows.map(type::cast) : Optional.empty();
    }

    @Override
    public TargetScores score(TokenTree tree) {
        return model.score(this, tree);
    }

    @Override
    public TargetScores grow(TokenTree tree) {
        return model.grow(this, tree);
    }

    @Override
    public void hold(List<Integer> nodes) {
        try (var _ = entered()) {
            var rows = held.hold(nodes);
            cache.keep(rows.nodes(), rows.committed());
        }
    }

    @Override
    public void commit(Verdict verdict) {
        try (var _ = entered()) {
            keep(verdict);
        }
    }

    private void keep(Verdict verdict) {
        var staged =
                scored.orElseThrow(() ->
                        new IllegalStateException("no tree was scored since the last commit"));
        var tree = staged.tree();
        var rows = new ArrayList<Integer>();
        rows.add(staged.row()[0]);
        int last = 0;
        for (int node : verdict.acceptedNodes()) {
            Require.that(
                    node >= 1 && node < tree.size() && tree.parent(node) == last,
                    "accepted nodes %s are not a path from the root",
                    verdict.acceptedNodes());
            last = node;
            rows.add(staged.row()[node]);
        }
        cache.keep(rows);
        scored = Optional.empty();
    }

    @Override
    public void close() {
        try (var _ = entered()) {
            forgetDraftRows();
            cache.close();
        }
    }

    /// Begins a section that only one thread at a time may run.
    ///
    /// @throws dev.outrider.spi.error.OutriderException `CONTRACT_BROKEN` if another thread runs it
    void enter() {
        confinement
                .enter()
                .ifPresent(other -> {
                    throw TargetErrors.usedByTwo(model.description().name(), other);
                });
    }

    void leave() {
        confinement.leave();
    }

    /// Begins such a section, which ends when the result is closed.
    Use entered() {
        enter();
        return this::leave;
    }

    interface Use extends AutoCloseable {
        @Override
        void close();
    }

    NetworkTarget model() {
        return model;
    }

    Set<HiddenState> hiddenStates() {
        return hiddenStates;
    }

    /// Checks that a tree can be scored.
    void requireFits(TokenTree tree) {
        requireFits(tree.tokens());
    }

    /// Returns the tree for a pass that is about to run; any earlier tree is dropped, except rows of this tree that a drafter has
    /// run in part.
    StagedTree stage(TokenTree tree) {
        var staged =
                draftRows
                        .flatMap(DraftRows::reusable)
                        .flatMap(grown -> overlaid(grown, tree))
                        .orElseGet(() -> {
                            dropUndecided();
                            return StagedTree.fresh(this, cache, tree);
                        });
        scored = Optional.of(staged);
        return staged;
    }

    private Optional<StagedTree> overlaid(GrownTree grown, TokenTree tree) {
        var overlay = grown.under(tree);
        if (overlay.kept().isEmpty()) {
            return Optional.empty();
        }
        cache.keep(overlay.kept(), 0);
        return Optional.of(
                new StagedTree(
                        this,
                        cache,
                        tree,
                        overlay.rows(),
                        overlay.row(),
                        grown.layer(),
                        grown.rowsOf(overlay.kept())));
    }

    /// Forgets the rows that a drafter has run in part, after their place in the cache was taken.
    void forgetDraftRows() {
        draftRows.ifPresent(DraftRows::clear);
    }

    /// Returns the number of kept nodes of a tree that is about to grow.
    int held(TokenTree tree) {
        return held.check(tree);
    }

    /// Returns the new rows of a tree for a pass that is about to run; any earlier tree is dropped, except the kept nodes.
    RowBlock stageGrowth(TokenTree tree) {
        int nodes = held.check(tree);
        forgetDraftRows();
        cache.keep(IntStream.range(0, nodes).boxed().toList(), 0);
        scored = Optional.empty();
        held.grow(tree);
        return RowBlock.ofTree(cache, tree, nodes);
    }

    /// Drops a tree that was scored but not decided.
    void dropUndecided() {
        scored = Optional.empty();
        held.clear();
        forgetDraftRows();
        cache.dropScratch();
    }

    /// Checks that tokens can be added.
    void requireFits(int[] tokens) {
        model.requireTokens(tokens);
        if (cache.length() + tokens.length > cache.capacity()) {
            throw TargetErrors.cacheFull(
                    model.description().name(), cache.length(), tokens.length, cache.capacity());
        }
    }
}
