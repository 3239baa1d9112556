package dev.outrider.drafter.block;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.feature.CapturedRows;
import dev.outrider.drafting.feature.CommittedStates;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;

/// One sequence. Its cache holds the features of every position before the root, the last committed token; a round runs the block
/// that begins with the root once, whatever grows from it. Features wait until the next draft is asked for, so that a sequence that
/// ends costs nothing more. A sequence that outgrows the backbone's positions goes on without guesses.
///
/// @see "Chen, Liang, Liu 2026 (DFlash), section 3"
final class BlockSession implements DraftSession {
    /// Most positions in one pass.
    private static final int FEED_ROWS = 128;

    private final BlockDraft draft;
    private final TreeExpander expander;
    private final KvCache cache;
    private final CommittedTokens tokens = new CommittedTokens();
    private final CapturedRows pending;
    private final CallOrder order = new CallOrder();

    /// @param cache empty; closed with the session
    BlockSession(BlockDraft draft, TreeExpander expander, KvCache cache) {
        this.draft = draft;
        this.expander = expander;
        this.cache = cache;
        pending =
                new CapturedRows(
                        draft.captured(),
                        draft.backbone().config().fusion().orElseThrow().capturedWidth());
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        tokens.append(prompt);
        CommittedStates.ofPrompt(prompt, promptStates, (states, index, _) -> add(states, index));
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        int depth = Math.min(budget.maxDepth(), draft.slots().guesses());
        boolean fits = tokens.length() - 1 + draft.slots().size() <= cache.capacity();
        if (depth < 1 || budget.maxNodes() < 1 || !fits) {
            return Draft.empty(tokens.root());
        }
        feed();
        var stepper = new BlockStepper(draft, cache, tokens.root(), depth, budget.rowCost());
        return expander.expand(
                        stepper,
                        tokens.history(),
                        budget.within(budget.maxNodes(), depth),
                        randomness)
                .draft();
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        tokens.append(
                CommittedStates.ofRound(
                        draft, verdict, scores, (states, index, _) -> add(states, index)));
    }

    @Override
    public void close() {
        pending.close();
        cache.close();
    }

    private void add(HiddenStates states, int index) {
        if (pending.size() == FEED_ROWS) {
            feed();
        }
        if (cache.length() + pending.size() < cache.capacity()) {
            pending.add(states, index);
        }
    }

    private void feed() {
        if (pending.size() > 0) {
            draft.backbone()
                    .keep(
                            cache,
                            new FeatureRows(
                                    pending.features(), pending.size(), FeatureRows.Source.TARGET));
            pending.clear();
        }
    }
}
