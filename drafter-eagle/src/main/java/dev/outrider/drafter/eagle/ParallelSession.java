package dev.outrider.drafter.eagle;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.CommittedTokens;
import dev.outrider.drafting.SlotStepper;
import dev.outrider.drafting.TreeExpander;
import dev.outrider.drafting.feature.CommittedStates;
import dev.outrider.drafting.feature.PendingRows;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassResult;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.IntStream;

/// One sequence. Row t of the cache pairs the target's feature of position t with token t + 1, as in EAGLE-3. A round is one pass: the
/// rows of true features that are new, the last of which is the root's, and after it a row of mask token and mask feature for every
/// further guess. Each row sees those before it, so a guess sees the committed prefix and the shallower guesses' rows, in which there
/// is no token of theirs. Rows of masks are dropped again (docs/reference/algorithms.md A18.1).
///
/// Rows wait until the next draft is asked for, so that a sequence that ends costs nothing more. A sequence of one token has no
/// feature yet; its first draft is empty. One that outgrows the layers' positions goes on without guesses.
///
/// @see "Hui et al. 2026 (P-EAGLE), section 3"
final class ParallelSession implements DraftSession {
    /// Most rows of true features in one pass.
    private static final int FEED_ROWS = 128;

    private final ParallelDraft head;
    private final TreeExpander expander;
    private final KvCache cache;
    private final CommittedTokens tokens = new CommittedTokens();
    private final PendingRows pending;
    private final int maxPositions;
    private final CallOrder order = new CallOrder();
    private boolean ran;
    private boolean outgrown;

    /// @param cache empty; closed with the session
    ParallelSession(ParallelDraft head, TreeExpander expander, KvCache cache) {
        this.head = head;
        this.expander = expander;
        this.cache = cache;
        var config = head.network().config();
        maxPositions = config.maxPositions();
        pending = new PendingRows(head.captured(), config.fusion().orElseThrow().capturedWidth());
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
        int depth = depth(budget);
        if (depth < 1 || budget.maxNodes() < 1) {
            return Draft.empty(tokens.root());
        }
        // A draft that nobody decided about is forgotten; the root's row is run again.
        if (ran) {
            cache.truncate(cache.length() - 1);
        }
        int first = ran ? pending.size() - 1 : 0;
        int fresh = pending.size() - first;
        try (var pass = pass(first, depth)) {
            cache.keep(IntStream.range(0, fresh).boxed().toList());
            ran = true;
            return expander.expand(
                            new SlotStepper(slot -> pass.logits(fresh - 1 + slot)),
                            tokens.history(),
                            budget.within(budget.maxNodes(), depth),
                            randomness)
                    .draft();
        }
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        tokens.append(CommittedStates.ofRound(draft, verdict, scores, this::add));
    }

    @Override
    public void close() {
        pending.close();
        cache.close();
    }

    /// How deep a draft may be: the row that guesses at depth d stands at position `tokens.length() - 3 + d`.
    private int depth(DraftBudget budget) {
        return outgrown || pending.size() == 0
                ? 0
                : Math.min(
                        Math.min(budget.maxDepth(), head.drafting().plan().maxDepth()),
                        maxPositions - tokens.length() + 2);
    }

    private void add(HiddenStates states, int index, int token) {
        if (ran) {
            pending.clear();
            ran = false;
        }
        outgrown |= cache.length() + pending.size() >= maxPositions;
        if (outgrown) {
            return;
        }
        if (pending.size() == FEED_ROWS) {
            feed();
        }
        pending.add(states, index, token);
    }

    /// Runs and keeps the waiting rows, none of which is the root's.
    private void feed() {
        int rows = pending.size();
        head.network()
                .forward(
                        RowBlock.continuing(cache, pending.tokens()),
                        new FeatureRows(pending.features(), rows, FeatureRows.Source.TARGET),
                        new PassOutputs(PassOutputs.LogitRows.NONE, Set.of()))
                .close();
        cache.keep(IntStream.range(0, rows).boxed().toList());
        pending.clear();
    }

    /// Runs the waiting rows from `first` on, and masks for all guesses but the root's.
    private PassResult pass(int first, int depth) {
        int fresh = pending.size() - first;
        int rows = fresh + depth - 1;
        int[] ids = Arrays.copyOf(Arrays.copyOfRange(pending.tokens(), first, first + fresh), rows);
        Arrays.fill(ids, fresh, rows, head.mask().token());
        var known = pending.features();
        long bytes = (long) head.mask().hidden().length * Float.BYTES;
        try (var arena = Arena.ofConfined()) {
            var features = arena.allocate(rows * bytes, Float.BYTES);
            MemorySegment.copy(known, first * bytes, features, 0, fresh * bytes);
            var mask = MemorySegment.ofArray(head.mask().hidden());
            for (int row = fresh; row < rows; row++) {
                MemorySegment.copy(mask, 0, features, row * bytes, bytes);
            }
            return head.network()
                    .forward(
                            RowBlock.continuing(cache, ids),
                            new FeatureRows(features, rows, FeatureRows.Source.TARGET),
                            PassOutputs.lastLogits(depth));
        }
    }
}
