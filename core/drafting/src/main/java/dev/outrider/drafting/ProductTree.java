package dev.outrider.drafting;

import dev.outrider.drafting.TreeConstruction.Request;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.Selection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoublePredicate;

/// The most probable nodes of a product of distributions, one for every depth: the best first. A deterministic
/// function of the history.
///
/// @param topK     most children of a node
/// @param reader   of a drafter that ignores the history
/// @param stopRule where to stop short
record ProductTree(int topK, LogitReader reader, StopRule stopRule) {
    GrowingDraft begin(Request request) {
        return new Growth(request);
    }

    /// One draft. Confined to one thread.
    final class Growth implements GrowingDraft {
        private final Request request;
        private final DraftBudget budget;
        private final List<Slot> slots = new ArrayList<>();
        private boolean done;

        Growth(Request request) {
            this.request = request;
            this.budget = request.budget();
            this.done = budget.maxNodes() == 0 || budget.maxDepth() == 0;
        }

        @Override
        public boolean done() {
            return done;
        }

        @Override
        public List<StepInput> wanted() {
            return slots.isEmpty()
                    ? List.of()
                    : List.of(new StepInput(0, StepInput.ROOT, slots.size()));
        }

        /// The best tokens of a depth, as deep as the drafter guesses.
        @Override
        public void take(DraftStepper.LogitRows logits) {
            reader.read(logits.row(0), request.committed());
            if (!logits.guessesFrom(0) || !stopRule.guessesFrom(reader::entropy)) {
                done = true;
                return;
            }
            int[] top = reader.top(Math.min(topK, budget.maxNodes()));
            double normaliser = reader.logNormaliser();
            var tokens = new int[top.length];
            var scores = new double[top.length];
            for (int rank = 0; rank < top.length; rank++) {
                tokens[rank] = reader.token(top[rank]);
                scores[rank] = Math.min(0, reader.score(top[rank]) - normaliser);
            }
            slots.add(new Slot(tokens, scores));
            done = slots.size() == budget.maxDepth();
        }

        @Override
        public DraftWithRows finish() {
            var tree = request.root();
            if (!slots.isEmpty()) {
                ProductTree.grow(
                        slots,
                        budget.maxNodes(),
                        score -> stopRule.continuesBelow(Math.exp(score)),
                        tree::add);
            }
            return tree.finish(new Selection.PointMass());
        }
    }

    /// The guesses at a depth.
    ///
    /// @param tokens best first
    /// @param scores their log probabilities, not rising
    @SuppressWarnings("ArrayRecordComponent")
    private record Slot(int[] tokens, double[] scores) {}

    /// Where nodes go.
    @FunctionalInterface
    private interface Tree {
        /// Adds a node.
        ///
        /// @param parent 0 for the root, else what this returned for it
        /// @return the node
        int add(int parent, int token);
    }

    /// A node that may be added next.
    ///
    /// @param above    log probability of the parent's path
    /// @param score    of its own path
    /// @param sequence when it was first thought of
    private record Candidate(
            int parent, int depth, int rank, double above, double score, int sequence) {}

    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble((Candidate candidate) -> -candidate.score())
                    .thenComparingInt(Candidate::depth)
                    .thenComparingInt(Candidate::sequence);

    /// Adds the best nodes, parents before children. Best first: a child is never more probable than its parent, nor a sibling than
    /// the one before it, so both wait until those are in. Equals come by smaller depth, then in the order in which they were found.
    ///
    /// @param slots     the guesses by depth, from 1
    /// @param count     most nodes
    /// @param continues whether children may grow below a guess of this log probability, which stays in any case
    /// @param tree      gets them
    private static void grow(List<Slot> slots, int count, DoublePredicate continues, Tree tree) {
        var waiting = new PriorityQueue<>(BEST_FIRST);
        int sequence = 0;
        if (!slots.isEmpty()) {
            waiting.add(candidate(slots, 0, 1, 0, 0, sequence++));
        }
        int left = count;
        for (var next = waiting.poll(); next != null && left > 0; next = waiting.poll()) {
            var slot = slots.get(next.depth() - 1);
            int node = tree.add(next.parent(), slot.tokens()[next.rank()]);
            left--;
            if (next.rank() + 1 < slot.tokens().length) {
                waiting.add(
                        candidate(
                                slots,
                                next.parent(),
                                next.depth(),
                                next.rank() + 1,
                                next.above(),
                                sequence++));
            }
            if (next.depth() < slots.size() && continues.test(slot.scores()[next.rank()])) {
                waiting.add(candidate(slots, node, next.depth() + 1, 0, next.score(), sequence++));
            }
        }
    }

    private static Candidate candidate(
            List<Slot> slots, int parent, int depth, int rank, double above, int sequence) {
        double score = above + slots.get(depth - 1).scores()[rank];
        return new Candidate(parent, depth, rank, above, score, sequence);
    }
}
