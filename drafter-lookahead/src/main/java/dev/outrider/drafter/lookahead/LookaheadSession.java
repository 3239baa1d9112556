package dev.outrider.drafter.lookahead;

import dev.outrider.drafting.CallOrder;
import dev.outrider.drafting.StatelessDrafter;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One sequence of lookahead decoding.
///
/// A draft is the window, unverified, followed by the pool's n-grams that begin with the current
/// token, merged where they begin alike. The window moves by one position in every round, however
/// many tokens were accepted; while it fills, nothing is guessed. If the budget of a round is too
/// small for the whole window, the window stays as it is.
///
/// It reads one argmax of the target's scores for each column of the window.
final class LookaheadSession implements DraftSession {
    private static final int[] NO_NODES = {};

    private final LookaheadConfig config;
    private final int[] source;
    private final Set<Integer> endOfSequence;
    private final NGramPool pool;
    private final CallOrder order = new CallOrder();
    private int[] recent = {};
    private Optional<LookaheadWindow> window = Optional.empty();

    /// Nodes of the window's newest level in the last draft; empty if the window was left out.
    private int[] newest = NO_NODES;

    /// @param source input of the target's encoder; may be empty
    LookaheadSession(LookaheadConfig config, Set<Integer> endOfSequence, List<Integer> source) {
        this.config = config;
        this.source = source.stream().mapToInt(Integer::intValue).toArray();
        this.endOfSequence = endOfSequence;
        this.pool = new NGramPool(config.guesses());
    }

    /// Returns the drafter for a target.
    ///
    /// @param endOfSequence tokens that end a sequence; the window does not contain them
    static Drafter drafter(LookaheadConfig config, Set<Integer> endOfSequence) {
        return new StatelessDrafter(
                config.traits(),
                request -> new LookaheadSession(config, endOfSequence, request.source()));
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

    /// The window of lookahead decoding: N - 1 levels of guesses, each level the target's argmax
    /// after the previous level in an earlier pass. Column j of level l is l + j positions after
    /// the current token, which is column 0 of level 0.
    ///
    /// As a tree below the current token, level 0 is a chain, and column j of the other levels is a
    /// chain below column j of level 0. So every guess sees level 0 up to its own column and the
    /// lower levels of its own column: the published mask and positions are those of the tree.
    ///
    /// At first there is level 0 alone, with N - 2 additional columns; each of the first N - 2
    /// passes adds a level and removes the first column. Confined to one thread.
    ///
    /// @see "Fu et al. 2024, section 3.1: lookahead branch; docs/reference/algorithms.md A6.2"
    private static final class LookaheadWindow {
        private final int levelCount;
        private final PromptTokens filler;
        private final List<int[]> levels = new ArrayList<>();

        /// @param width W, at least 1
        /// @param level N, at least 2
        LookaheadWindow(int width, int level, PromptTokens filler) {
            this.levelCount = level - 1;
            this.filler = filler;
            levels.add(filler.next(width + level - 3));
        }

        /// Returns whether all levels exist.
        boolean isFull() {
            return levels.size() == levelCount;
        }

        /// Returns the nodes below the root.
        int nodes() {
            return levels.stream().mapToInt(level -> level.length).sum();
        }

        /// Appends the window to a tree that has its root only.
        ///
        /// @return the nodes of the newest level, column 0 first; the root is column 0 of level 0
        int[] addTo(TokenTree.Builder tree) {
            int[] first = levels.getFirst();
            var newest = new int[first.length + 1];
            for (int column = 1; column < newest.length; column++) {
                newest[column] = tree.addUnverified(newest[column - 1], first[column - 1]);
            }
            for (int[] level : levels.subList(1, levels.size())) {
                for (int column = 0; column < newest.length; column++) {
                    newest[column] = tree.addUnverified(newest[column], level[column]);
                }
            }
            return newest;
        }

        /// Adds the target's tokens after the newest level, and moves by one position.
        ///
        /// @param root    the current token, column 0 of level 0
        /// @param results the target's argmax at each node that [#addTo] returned
        /// @param pool    receives the n-gram of every column once the window is full
        void advance(int root, int[] results, NGramPool pool) {
            if (isFull()) {
                for (int column = 0; column < results.length; column++) {
                    pool.add(key(root, column), following(column, results[column]));
                }
                levels.addLast(filler.withoutEnds(results));
                levels.removeFirst();
                levels.set(0, withoutHead(levels.getFirst()));
            } else {
                levels.replaceAll(LookaheadWindow::withoutHead);
                levels.addLast(filler.withoutEnds(withoutHead(results)));
            }
        }

        private int key(int root, int column) {
            return column == 0 ? root : levels.getFirst()[column - 1];
        }

        private int[] following(int column, int result) {
            var tokens = new int[levelCount];
            for (int level = 1; level < levelCount; level++) {
                tokens[level - 1] = levels.get(level)[column];
            }
            tokens[levelCount - 1] = result;
            return tokens;
        }

        private static int[] withoutHead(int[] level) {
            return Arrays.copyOfRange(level, 1, level.length);
        }
    }

    /// N-grams of the window, the prompt or the output: for every first token the most recent ones. A
    /// repeated n-gram becomes the newest; a full list drops its oldest.
    ///
    /// Memory: at most `V G (N - 1)` tokens, and never more n-grams than were added. Confined to one
    /// thread.
    ///
    /// @see "Fu et al. 2024, section 3.2: n-gram pool; docs/reference/algorithms.md A6.2"
    static final class NGramPool {
        private final int perKey;
        private final Map<Integer, List<int[]>> byKey = new HashMap<>();

        /// @param perKey n-grams kept for one first token, at least 1
        NGramPool(int perKey) {
            this.perKey = perKey;
        }

        /// Adds an n-gram.
        ///
        /// @param key       its first token
        /// @param following the tokens after it; kept, not copied
        void add(int key, int[] following) {
            var grams = byKey.computeIfAbsent(key, _ -> new ArrayList<>());
            grams.removeIf(known -> Arrays.equals(known, following));
            if (grams.size() == perKey) {
                grams.removeFirst();
            }
            grams.addLast(following);
        }

        /// Adds every n-gram of `length` tokens in `tokens`.
        void addAll(int[] tokens, int length) {
            for (int start = 0; start + length <= tokens.length; start++) {
                add(tokens[start], Arrays.copyOfRange(tokens, start + 1, start + length));
            }
        }

        /// Returns the tokens after `key` in its n-grams, the newest n-gram first. The caller must not
        /// change them.
        List<int[]> following(int key) {
            return byKey.getOrDefault(key, List.of()).reversed();
        }

        /// Returns the number of n-grams.
        int size() {
            return byKey.values().stream().mapToInt(List::size).sum();
        }
    }
}
