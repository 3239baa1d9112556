package dev.outrider.drafter.lookahead;

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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One sequence of lookahead decoding.
///
/// A draft is the window, unverified, and then the pool's n-grams that begin with the current token, merged where they
/// begin alike. The window moves one place on in every round, however many tokens were accepted; while it fills,
/// nothing is guessed. A round whose budget is too small for the whole window leaves it as it is.
///
/// Of the target's scores it reads one argmax for each column of the window.
final class LookaheadSession implements DraftSession {
    private static final int[] NO_NODES = {};

    private final LookaheadConfig config;
    private final int[] source;
    private final Set<Integer> endOfSequence;
    private final NGramPool pool;
    private final CallOrder order = new CallOrder();
    private int[] recent = {};
    private Optional<LookaheadWindow> window = Optional.empty();

    /// Nodes of the window's newest level in the last draft; none if the window was left out.
    private int[] newest = NO_NODES;

    /// @param source what the target's encoder reads; may be empty
    LookaheadSession(LookaheadConfig config, Set<Integer> endOfSequence, List<Integer> source) {
        this.config = config;
        this.source = source.stream().mapToInt(Integer::intValue).toArray();
        this.endOfSequence = endOfSequence;
        this.pool = new NGramPool(config.guesses());
    }

    @Override
    public void begin(int[] prompt, HiddenStates promptStates) {
        order.begin();
        var filler = new PromptTokens(source, prompt, endOfSequence, config.seed());
        window = Optional.of(new LookaheadWindow(config.window(), config.level(), filler));
        if (config.poolFromPrompt()) {
            pool.addAll(source, config.level());
            pool.addAll(prompt, config.level());
        }
        remember(prompt);
    }

    @Override
    public Draft propose(DraftBudget budget, Randomness randomness) {
        order.propose();
        var current = window.orElseThrow();
        var tree = TokenTree.builder(root());
        boolean fits = budget.maxDepth() > 0 && current.nodes() <= budget.maxNodes();
        newest = fits ? current.addTo(tree) : NO_NODES;
        if (current.isFull()) {
            addGuesses(tree, budget);
        }
        return new Draft(tree.build(), new Selection.PointMass());
    }

    @Override
    public void observe(Draft draft, Verdict verdict, TargetScores scores) {
        order.observe();
        if (newest.length > 0) {
            int[] results = Arrays.stream(newest).map(scores::argmax).toArray();
            window.orElseThrow().advance(root(), results, pool);
        }
        for (int token : verdict.emitted(draft.tree())) {
            remember(token);
            if (config.poolFromPrompt()) {
                pool.addAll(recent, config.level());
            }
        }
    }

    @Override
    public void close() {}

    NGramPool pool() {
        return pool;
    }

    private void addGuesses(TokenTree.Builder tree, DraftBudget budget) {
        for (int[] guess : pool.following(root())) {
            int parent = 0;
            for (int index = 0; index < Math.min(guess.length, budget.maxDepth()); index++) {
                if (tree.size() > budget.maxNodes()) {
                    return;
                }
                parent = tree.addDistinct(parent, guess[index]);
            }
        }
    }

    private int root() {
        return recent[recent.length - 1];
    }

    /// Keeps the last N tokens.
    private void remember(int... tokens) {
        int[] all = Arrays.copyOf(recent, recent.length + tokens.length);
        System.arraycopy(tokens, 0, all, recent.length, tokens.length);
        recent = Arrays.copyOfRange(all, Math.max(0, all.length - config.level()), all.length);
    }
}
