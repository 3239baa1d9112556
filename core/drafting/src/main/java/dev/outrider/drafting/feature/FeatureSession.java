package dev.outrider.drafting.feature;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// One sequence in a draft layer, or in several that follow each other ([FeatureModules]).
///
/// Row t of the cache pairs the target's feature of position t with token t + 1 and stands at position t; the last
/// row of n committed tokens and a root is row n - 1, whose logits are the root's successors. Only rows of true
/// features stay: those of guesses are dropped after every round, accepted or not, and run again from the features
/// the target has computed in the meantime (docs/reference/algorithms.md A5.3, A5.4).
///
/// Rows wait until the next draft is asked for, so that a sequence that ends costs nothing more. A sequence of one
/// token has no feature yet; its first draft is empty. One that outgrows the layer's positions goes on without
/// guesses.
final class FeatureSession implements DraftSession {
    /// Most rows of true features in one pass.
    private static final int FEED_ROWS = 128;

    private final FeatureDraft layers;
    private final FeatureModules modules;
    private final TreeExpander expander;
    private final CommittedTokens tokens = new CommittedTokens();
    private final PendingRows pending;
    private final int maxPositions;
    private final CallOrder order = new CallOrder();
    private boolean outgrown;

    /// @param modules the layers with empty caches; closed with the session
    FeatureSession(FeatureDraft layers, TreeExpander expander, FeatureModules modules) {
        this.layers = layers;
        this.expander = expander;
        this.modules = modules;
        var config = modules.network(0).config();
        maxPositions = config.maxPositions();
        pending = new PendingRows(layers.captured(), config.fusion().orElseThrow().capturedWidth());
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
        CommittedStates.ofPrompt(prompt, promptStates, this::add);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        // A draft that nobody decided about is forgotten.
        modules.dropScratch();
        int depth = depth(budget);
        return depth < 1 ? Draft.empty(tokens.root()) : expand(budget, depth, randomness);
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        modules.dropScratch();
        tokens.append(CommittedStates.ofRound(draft, verdict, scores, this::add));
    }

    @Override
    public void close() {
        pending.close();
        modules.close();
    }

    private Draft expand(DraftBudget budget, int depth, Randomness randomness) {
        if (pending.size() > 0) {
            feed(true);
        }
        try (var stepper = new FeatureStepper(modules, layers.drafting().maxRows())) {
            var limits = budget.within(budget.maxNodes(), depth);
            return expander.expand(stepper, tokens.history(), limits, randomness).draft();
        }
    }

    /// How deep a draft may be: the row of a guess at depth d stands at position `tokens.length() - 2 + d`, and
    /// guesses at the greatest depth have none.
    private int depth(DraftBudget budget) {
        boolean known = pending.size() > 0 || modules.rootKnown();
        return outgrown || !known
                ? 0
                : Math.min(budget.maxDepth(), maxPositions - tokens.length() + 2);
    }

    private void add(HiddenStates states, int index, int token) {
        outgrown |= modules.length() + pending.size() >= maxPositions;
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
    /// @param lastAsked whether the last one is the root's
    private void feed(boolean lastAsked) {
        modules.feed(pending.features(), pending.tokens(), lastAsked);
        pending.clear();
    }
}
