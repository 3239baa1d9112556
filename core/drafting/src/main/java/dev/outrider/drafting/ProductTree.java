package dev.outrider.drafting;

import dev.outrider.drafting.TreeConstruction.Request;
import dev.outrider.spi.draft.Selection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoublePredicate;

/// The most probable nodes of a product of distributions, with one distribution for every depth; the best node first. A deterministic
/// function of the history.
///
/// @param topK     most children of a node
/// @param reader   of a drafter that ignores the history
/// @param stopRule ends drafts early
record ProductTree(int topK, LogitReader reader, StopRule stopRule) {
    DraftWithRows grow(Request request) {
        var slots = slots(request);
        var tree = request.root();
        if (!slots.isEmpty()) {
            grow(
                    slots,
                    request.budget().maxNodes(),
                    score -> stopRule.continuesBelow(Math.exp(score)),
                    tree::add);
        }
        return tree.finish(new Selection.PointMass());
    }

    /// Returns the best tokens of each depth, as deep as the drafter guesses.
    private List<Slot> slots(Request request) {
        var slots = new ArrayList<Slot>();
        int maxNodes = request.budget().maxNodes();
        int depths = maxNodes == 0 ? 0 : request.budget().maxDepth();
        while (slots.size() < depths) {
            var logits =
                    slots.isEmpty()
                            ? request.stepper().root()
                            : request.stepper()
                                    .step(List.of(new StepInput(0, StepInput.ROOT, slots.size())));
            reader.read(logits.row(0), request.committed());
            if (!logits.guessesFrom(0) || !stopRule.guessesFrom(reader::entropy)) {
                break;
            }
            int[] top = reader.top(Math.min(topK, maxNodes));
            double normaliser = reader.logNormaliser();
            var tokens = new int[top.length];
            var scores = new double[top.length];
            for (int rank = 0; rank < top.length; rank++) {
                tokens[rank] = reader.token(top[rank]);
                scores[rank] = Math.min(0, reader.score(top[rank]) - normaliser);
            }
            slots.add(new Slot(tokens, scores));
        }
        return slots;
    }

    /// The guesses at a depth.
    ///
    /// @param tokens best first
    /// @param scores their log probabilities, not rising
    @SuppressWarnings("ArrayRecordComponent")
    private record Slot(int[] tokens, double[] scores) {}

    /// Receives the nodes.
    @FunctionalInterface
    private interface Tree {
        /// Adds a node.
        ///
        /// @param parent 0 for the root, otherwise the result of this method for it
        /// @return the node
        int add(int parent, int token);
    }

    /// A node that may be added next.
    ///
    /// @param above    log probability of the parent's path
    /// @param score    of its own path
    /// @param sequence number of the candidate, in the order of creation
    private record Candidate(
            int parent, int depth, int rank, double above, double score, int sequence) {}

    private static final Comparator<Candidate> BEST_FIRST =
            Comparator.comparingDouble((Candidate candidate) -> -candidate.score())
                    .thenComparingInt(Candidate::depth)
                    .thenComparingInt(Candidate::sequence);

    /// Adds the best nodes, parents before children, the best first: a child is never more probable than its parent, nor a sibling than
    /// the one before it, so both wait until those are added. Of equal nodes, the one with the smaller depth comes first, then the
    /// earlier one.
    ///
    /// @param slots     the guesses by depth, from 1
    /// @param count     most nodes
    /// @param continues whether children may grow below a guess of this log probability, which itself stays
    /// @param tree      receives them
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
