package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// One sequence in a draft model that answers mask tokens. A round is one pass: the committed tokens that are not in the cache yet, the
/// root last, and after it a mask token for every further guess. A mask sees the committed tokens and the masks before it, and no
/// guessed token. Rows of masks are dropped again (docs/algorithms.md A18.2).
///
/// A sequence that outgrows the draft model, in length or by a token the draft model does not have, goes on without guesses.
///
/// @see "An et al. 2025 (PARD), section 3.1"
final class PardSession implements DraftSession {
    private final DraftModel model;
    private final int maskToken;
    private final int maxDepth;
    private final TreeExpander expander;
    private final KvCache cache;
    private final CommittedTokens tokens = new CommittedTokens();
    private final CallOrder order = new CallOrder();
    private boolean knowsAllTokens = true;

    /// @param maxDepth most guesses in a row
    /// @param cache    empty; closed with the session
    PardSession(
            DraftModel model, int maskToken, int maxDepth, TreeExpander expander, KvCache cache) {
        this.model = model;
        this.maskToken = maskToken;
        this.maxDepth = maxDepth;
        this.expander = expander;
        this.cache = cache;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        append(prompt);
        feed();
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        int depth = depth(budget);
        if (depth < 1 || budget.maxNodes() < 1) {
            return Draft.empty(tokens.root());
        }
        // A draft that nobody decided about is forgotten; the root is run again.
        cache.truncate(Math.min(cache.length(), tokens.length() - 1));
        feed();
        int fresh = tokens.length() - cache.length();
        int[] ids = Arrays.copyOf(tokens.range(cache.length(), tokens.length()), fresh + depth - 1);
        Arrays.fill(ids, fresh, ids.length, maskToken);
        try (var pass =
                model.network()
                        .forward(
                                List.of(RowBlock.continuing(cache, ids)),
                                PassOutputs.lastLogits(depth))) {
            cache.keep(IntStream.range(0, fresh).boxed().toList());
            return expander.expand(
                            new SlotStepper(slot -> pass.logits(fresh - 1 + slot)),
                            tokens.history(),
                            new DraftBudget(budget.maxNodes(), depth),
                            randomness)
                    .draft();
        }
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        append(verdict.emitted(draft.tree()));
    }

    @Override
    public void close() {
        cache.close();
    }

    /// How deep a draft may be: the row that guesses at depth d stands at position `tokens.length() - 2 + d`.
    private int depth(DraftBudget budget) {
        int room = model.maxPositions() - tokens.length() + 1;
        return knowsAllTokens ? Math.min(Math.min(budget.maxDepth(), maxDepth), room) : 0;
    }

    /// Runs committed tokens but for the last ones, if they are many.
    private void feed() {
        boolean fits = knowsAllTokens && tokens.length() <= model.maxPositions();
        if (fits && tokens.length() - cache.length() > NetworkStepper.FEED_ROWS) {
            NetworkStepper.feed(model.network(), cache, tokens, tokens.length() - 1);
        }
    }

    private void append(int... more) {
        tokens.append(more);
        knowsAllTokens &= Arrays.stream(more).allMatch(token -> token < model.vocabularySize());
    }
}
