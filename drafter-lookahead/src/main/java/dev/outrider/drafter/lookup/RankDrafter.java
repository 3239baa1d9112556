package dev.outrider.drafter.lookup;

import dev.outrider.drafter.lookup.RankedDrafting.RankTree;
import dev.outrider.drafting.CallOrder;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.draft.DrafterTraits;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// Opens sequences, each with its own store: empty, or a copy of the store of the sequence that
/// closed last. So sequences that run one after the other can be repeated, and parallel sequences
/// do not affect each other. Thread-safe.
public final class RankDrafter implements Drafter {
    private final DrafterTraits traits;
    private final RankedDrafting config;
    private final RankTree ranks;
    private final AtomicReference<SuccessorStore> kept;

    /// @param traits of its drafts
    /// @param empty  an empty store that no other object uses
    public RankDrafter(DrafterTraits traits, RankedDrafting config, SuccessorStore empty) {
        this.traits = traits;
        this.config = config;
        this.ranks = config.rankTree();
        this.kept = new AtomicReference<>(empty);
    }

    @Override
    public DrafterTraits traits() {
        return traits;
    }

    @Override
    public DraftSession open(DraftRequest request) {
        return new RankSession(
                ranks,
                kept.get().copy(),
                request.source(),
                config.seedFromPrompt(),
                learnt -> {
                    if (config.keepAcrossSequences()) {
                        kept.set(learnt);
                    }
                });
    }

    /// One sequence that drafts trees of ranks from a [SuccessorStore].
    ///
    /// State. The last tokens are a function of the committed ones. The store is a function of the
    /// store at the start of the sequence, source and prompt, and every (tree, scores) it received.
    /// It learns from rejected nodes too, by design, and is not rolled back: it holds what the
    /// target thinks likely after a context, not what was committed. Drafts are a function of what
    /// was known before the round, which is sufficient for a tree that is judged without its
    /// distribution (docs/reference/algorithms.md I5).
    ///
    /// Of several nodes with one context the shallowest, then the first, is used. The store
    /// receives nodes from the deepest to the shallowest, so if contexts share an ending the
    /// shallowest is learned last.
    ///
    /// @see "Luo et al. 2024: Turning Trash into Treasure, section 3"
    private static final class RankSession implements DraftSession {
        private final RankTree ranks;
        private final SuccessorStore store;
        private final int[] source;
        private final boolean seedFromPrompt;
        private final Consumer<SuccessorStore> whenClosed;
        private final CallOrder order = new CallOrder();

        /// The last tokens of the text, the root last.
        private int[] context = {};

        private boolean closed;

        /// @param store      the store at the start; owned by this session
        /// @param source     input of the target's encoder; may be empty
        /// @param whenClosed receives the store at the end, once
        RankSession(
                RankTree ranks,
                SuccessorStore store,
                List<Integer> source,
                boolean seedFromPrompt,
                Consumer<SuccessorStore> whenClosed) {
            this.ranks = ranks;
            this.store = store;
            this.source = source.stream().mapToInt(Integer::intValue).toArray();
            this.seedFromPrompt = seedFromPrompt;
            this.whenClosed = whenClosed;
        }

        @Override
        public void begin(int[] prompt, HiddenStates promptStates) {
            order.begin();
            if (seedFromPrompt) {
                learn(source);
                learn(prompt);
            }
            context = before(prompt, prompt.length);
        }

        @Override
        public Draft propose(DraftBudget budget, Randomness randomness) {
            order.propose();
            var tree = TokenTree.builder(context[context.length - 1]);
            var nodes = new int[ranks.size()];
            var contexts = new int[ranks.size() + 1][];
            contexts[0] = context;
            Map<Integer, int[]> successors = new HashMap<>();
            for (int i = 0; i < ranks.size() && tree.size() <= budget.maxNodes(); i++) {
                int parent = ranks.parents().get(i);
                boolean reachable =
                        ranks.depths().get(i) <= budget.maxDepth()
                                && (parent < 0 || nodes[parent] > 0);
                if (reachable) {
                    int[] known =
                            successors.computeIfAbsent(
                                    parent, _ -> store.successors(contexts[parent + 1]));
                    int rank = ranks.ranks().get(i);
                    if (rank < known.length) {
                        nodes[i] = tree.add(parent < 0 ? 0 : nodes[parent], known[rank]);
                        contexts[i + 1] = followed(contexts[parent + 1], known[rank]);
                    }
                }
            }
            return new Draft(tree.build(), new Selection.PointMass());
        }

        @Override
        public void observe(Draft draft, Verdict verdict, TargetScores scores) {
            order.observe();
            learn(draft.tree(), scores);
            for (int token : verdict.emitted(draft.tree())) {
                store.wrote(context, token);
                context = followed(context, token);
            }
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                whenClosed.accept(store);
            }
        }

        /// Gives the store a text, such as the prompt.
        private void learn(int[] text) {
            for (int i = 1; i < text.length; i++) {
                store.saw(before(text, i), text[i]);
            }
        }

        private void learn(TokenTree tree, TargetScores scores) {
            var contexts = new int[tree.size()][];
            contexts[0] = context;
            for (int node = 1; node < tree.size(); node++) {
                contexts[node] = followed(contexts[tree.parent(node)], tree.token(node));
            }
            var shallowest = new LinkedHashMap<IntBuffer, Integer>();
            IntStream.range(0, tree.size())
                    .boxed()
                    .sorted(Comparator.comparingInt(tree::depth))
                    .forEach(node -> shallowest.putIfAbsent(IntBuffer.wrap(contexts[node]), node));
            for (int node : shallowest.sequencedValues().reversed()) {
                store.scored(contexts[node], scores, node);
            }
        }

        private int[] before(int[] text, int end) {
            return Arrays.copyOfRange(text, Math.max(0, end - store.contextLength()), end);
        }

        private int[] followed(int[] earlier, int token) {
            int[] longer = Arrays.copyOf(earlier, earlier.length + 1);
            longer[earlier.length] = token;
            return before(longer, longer.length);
        }
    }

    @Override
    public void close() {}
}
