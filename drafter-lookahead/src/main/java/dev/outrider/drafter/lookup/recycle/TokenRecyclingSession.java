package dev.outrider.drafter.lookup.recycle;

import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// One sequence's matrix of successors.
///
/// State. The root is a function of the committed tokens. The matrix is a function of the matrix the sequence started
/// with, the prompt, and every (tree, scores) it was shown; it learns from rejected nodes too, on purpose, and is not rolled
/// back: it says what the target thinks likely after a token, not what was committed. Drafts stay a function of things
/// known before the round, which is all that exactness asks of a tree judged without its distribution (docs/algorithms.md I5).
///
/// Of several nodes with one token the shallowest, then the first, writes the row, so drafts can be repeated.
///
/// @see "Luo et al. 2024: Turning Trash into Treasure, section 3"
final class TokenRecyclingSession implements DraftSession {
    private final RankTree ranks;
    private final Successors successors;
    private final boolean seedFromPrompt;
    private final Consumer<Successors> whenClosed;
    private final CallOrder order = new CallOrder();
    private int root = -1;
    private boolean closed;

    /// @param successors what is known at the start; this session's own
    /// @param whenClosed given what is known at the end, once
    TokenRecyclingSession(
            RankTree ranks,
            Successors successors,
            boolean seedFromPrompt,
            Consumer<Successors> whenClosed) {
        this.ranks = ranks;
        this.successors = successors;
        this.seedFromPrompt = seedFromPrompt;
        this.whenClosed = whenClosed;
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        for (int i = 1; seedFromPrompt && i < prompt.length; i++) {
            successors.saw(prompt[i - 1], prompt[i]);
        }
        root = prompt[prompt.length - 1];
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        var tree = TokenTree.builder(root);
        var tokens = new int[ranks.size()];
        var nodes = new int[ranks.size()];
        for (int i = 0; i < ranks.size() && tree.size() <= budget.maxNodes(); i++) {
            int parent = ranks.parents().get(i);
            boolean reachable =
                    ranks.depths().get(i) <= budget.maxDepth() && (parent < 0 || nodes[parent] > 0);
            if (reachable) {
                int parentToken = parent < 0 ? root : tokens[parent];
                tokens[i] = successors.successor(parentToken, ranks.ranks().get(i));
                if (tokens[i] != Successors.UNKNOWN) {
                    nodes[i] = tree.add(parent < 0 ? 0 : nodes[parent], tokens[i]);
                }
            }
        }
        return new Draft(tree.build(), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        var tree = draft.tree();
        var written = new BitSet();
        IntStream.range(0, tree.size())
                .boxed()
                .sorted(Comparator.comparingInt(tree::depth))
                .forEach(node -> {
                    int token = tree.token(node);
                    if (!written.get(token)) {
                        written.set(token);
                        successors.refresh(token, scores.logits(node));
                    }
                });
        root = verdict.nextToken();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            whenClosed.accept(successors);
        }
    }
}
