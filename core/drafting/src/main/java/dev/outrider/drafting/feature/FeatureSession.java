package dev.outrider.drafting.feature;

import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.head.HeadSession;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;

/// One sequence in a draft layer, or in several consecutive ones ([FeatureModules]).
///
/// Row t of the cache pairs the target's feature of position t with token t + 1 and is at position t; the last
/// row of n committed tokens and a root is row n - 1, whose logits are the root's successors. Only rows of true
/// features stay: those of guesses are dropped after every round, accepted or not, and run again from the features
/// that the target has computed in the meantime (docs/reference/algorithms.md A5.3, A5.4).
///
/// Rows wait until the next draft is asked for, so that a sequence that ends has no further cost. A sequence of one token has no
/// feature yet, so its first draft is empty. A sequence longer than the layer's positions continues without guesses.
final class FeatureSession extends HeadSession {
    /// Most rows of true features in one pass.
    private static final int FEED_ROWS = 128;

    private final FeatureDrafter drafter;
    private final FeatureModules modules;
    private final TreeExpander expander;
    private final CapturedRows pending;
    private final int maxPositions;
    private boolean outgrown;

    /// @param modules the layers with empty caches; closed with the session
    FeatureSession(FeatureDrafter drafter, TreeExpander expander, FeatureModules modules) {
        this.drafter = drafter;
        this.expander = expander;
        this.modules = modules;
        var config = drafter.network().config();
        maxPositions = config.maxPositions();
        pending =
                new CapturedRows(drafter.captured(), config.fusion().orElseThrow().capturedWidth());
    }

    @Override
    protected void read(HiddenStates states, int index, int next) {
        outgrown |= modules.length() + pending.size() >= maxPositions;
        if (outgrown) {
            return;
        }
        if (pending.size() == FEED_ROWS) {
            feed(false);
        }
        pending.add(states, index, next);
    }

    /// The row of a guess at depth d is at position `tokens().length() - 2 + d`; guesses at the greatest depth have
    /// no row.
    @Override
    protected int depth() {
        boolean known = pending.size() > 0 || modules.rootKnown();
        return outgrown || !known ? 0 : maxPositions - tokens().length() + 2;
    }

    @Override
    protected Draft guess(DraftBudget budget, Randomness randomness) {
        modules.dropScratch();
        if (pending.size() > 0) {
            feed(true);
        }
        try (var stepper = new FeatureStepper(modules, drafter.drafting().maxRows())) {
            return expand(expander, stepper, budget, randomness);
        }
    }

    @Override
    public void close() {
        pending.close();
        modules.close();
    }

    /// Runs the waiting rows and keeps them.
    ///
    /// @param rootWanted whether the last one is the root's, whose logits are needed
    private void feed(boolean rootWanted) {
        modules.dropScratch();
        modules.feed(pending.features(), pending.tokens(), rootWanted);
        pending.clear();
    }
}
