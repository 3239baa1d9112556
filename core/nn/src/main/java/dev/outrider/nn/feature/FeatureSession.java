package dev.outrider.nn.feature;

import dev.outrider.nn.draft.CommittedTokens;
import dev.outrider.nn.draft.TreeExpander;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.Coins;
import dev.outrider.spi.Draft;
import dev.outrider.spi.DraftBudget;
import dev.outrider.spi.DraftSession;
import dev.outrider.spi.HiddenState;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// One sequence in a draft layer.
///
/// Row t of the cache pairs the target's feature of position t with token t + 1 and stands at position t; the last
/// row of n committed tokens and a root is row n - 1, whose logits are the root's successors. Only rows of true
/// features stay: those of guesses are dropped after every round, accepted or not, and run again from the features
/// the target has computed in the meantime (algorithms A5.3, A5.4).
///
/// Rows wait until the next draft is asked for, so that a sequence that ends costs nothing more. A sequence of one
/// token has no feature yet; its first draft is empty. One that outgrows the layer's positions goes on without
/// guesses.
final class FeatureSession implements DraftSession {
    /// Most rows of true features in one pass.
    private static final int FEED_ROWS = 128;

    private final FeatureDraft draft;
    private final FeatureNetwork network;
    private final TreeExpander expander;
    private final KvCache cache;
    private final CommittedTokens tokens = new CommittedTokens();
    private final PendingRows pending;
    private final Optional<HiddenState> recycled;
    private Optional<TokenTree> undecided = Optional.empty();
    private Optional<LastRow> last = Optional.empty();
    private boolean outgrown;

    /// @param cache an empty cache of the network; closed with the session
    FeatureSession(FeatureDraft draft, TreeExpander expander, KvCache cache) {
        this.draft = draft;
        this.expander = expander;
        this.cache = cache;
        network = draft.network();
        recycled = draft.recycling().state(network.config());
        pending =
                new PendingRows(
                        draft.captured(), network.config().fusion().orElseThrow().capturedWidth());
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        if (tokens.length() > 0) {
            throw new IllegalStateException("the session has begun already");
        }
        if (promptStates.size() != prompt.length - 1) {
            throw new IllegalArgumentException(
                    "%d states for a prompt of %d tokens; expected those of all but the last"
                            .formatted(promptStates.size(), prompt.length));
        }
        tokens.append(prompt);
        for (int position = 0; position < promptStates.size(); position++) {
            add(promptStates, position, prompt[position + 1]);
        }
    }

    @Override
    public Draft propose(DraftBudget budget, Coins coins) {
        if (tokens.length() == 0) {
            throw new IllegalStateException("propose comes after begin");
        }
        // A draft that nobody decided about is forgotten.
        cache.dropScratch();
        int depth = depth(budget);
        var proposed = depth < 1 ? Draft.empty(tokens.root()) : expand(budget, depth, coins);
        undecided = Optional.of(proposed.tree());
        return proposed;
    }

    @Override
    public void observe(Verdict verdict, TargetScores scores) {
        var tree =
                undecided.orElseThrow(
                        () -> new IllegalStateException("observe comes after propose"));
        undecided = Optional.empty();
        cache.dropScratch();
        int[] emitted = verdict.emitted(tree);
        int node = 0;
        for (int index = 0; index < emitted.length; index++) {
            add(scores, node, emitted[index]);
            if (index < verdict.acceptedLength()) {
                node = verdict.acceptedNodes().get(index);
            }
        }
        tokens.append(emitted);
    }

    @Override
    public void close() {
        last.ifPresent(LastRow::close);
        last = Optional.empty();
        pending.close();
        cache.close();
    }

    private Draft expand(DraftBudget budget, int depth, Coins coins) {
        if (pending.size() > 0) {
            feed(true);
        }
        var row = last.orElseThrow();
        try (var stepper =
                new FeatureStepper(
                        network,
                        cache,
                        recycled,
                        row.logits(),
                        row.feature(),
                        TreeExpander.maxRows(draft.plan()))) {
            var limits = new DraftBudget(budget.maxNodes(), depth);
            return expander.expand(stepper, tokens.history(), limits, coins).draft();
        }
    }

    /// How deep a draft may be: the row of a guess at depth d stands at position `tokens.length() - 2 + d`, and
    /// guesses at the greatest depth have none.
    private int depth(DraftBudget budget) {
        boolean known = pending.size() > 0 || last.isPresent();
        return outgrown || !known
                ? 0
                : Math.min(
                        budget.maxDepth(), network.config().maxPositions() - tokens.length() + 2);
    }

    private void add(HiddenStates states, int index, int token) {
        outgrown |= cache.length() + pending.size() >= network.config().maxPositions();
        if (outgrown) {
            return;
        }
        if (pending.size() == FEED_ROWS) {
            feed(false);
        }
        pending.add(states, index, token);
    }

    /// Runs the waiting rows and keeps them.
    ///
    /// @param lastAsked whether the last one's logits and state are wanted
    private void feed(boolean lastAsked) {
        last.ifPresent(LastRow::close);
        last = Optional.empty();
        var features =
                new FeatureRows(pending.features(), pending.size(), FeatureRows.Source.TARGET);
        var outputs =
                new PassOutputs(
                        lastAsked ? PassOutputs.LogitRows.LAST : PassOutputs.LogitRows.NONE,
                        lastAsked ? recycled.map(Set::of).orElse(Set.of()) : Set.of());
        var pass = network.forward(RowBlock.continuing(cache, pending.tokens()), features, outputs);
        cache.keep(IntStream.range(0, pending.size()).boxed().toList());
        if (lastAsked) {
            int row = pending.size() - 1;
            var feature =
                    recycled.map(state -> pass.hidden(state, row))
                            .orElseGet(() -> copy(pending.lastFeatures()));
            last = Optional.of(new LastRow(pass, pass.logits(row), feature));
        } else {
            pass.close();
        }
        pending.clear();
    }

    private static MemorySegment copy(MemorySegment row) {
        return Arena.ofAuto().allocate(row.byteSize(), Float.BYTES).copyFrom(row);
    }

    /// What the last row of true features gave.
    ///
    /// @param pass    owns the logits
    /// @param logits  of the root's successors
    /// @param feature what rows of the root's successors get
    private record LastRow(PassResult pass, MemorySegment logits, MemorySegment feature) {
        void close() {
            pass.close();
        }
    }
}
