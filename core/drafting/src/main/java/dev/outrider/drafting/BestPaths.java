package dev.outrider.drafting;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.DoublePredicate;

/// The nodes with the greatest products of probabilities along their paths, where the guesses at a depth are the same below every
/// parent. Best first: a child is never more probable than its parent, nor a sibling than the one before it, so both wait until
/// those are in. Equals come by smaller depth, then as they were first thought of.
///
/// @see "Cai et al. 2024 (Medusa), section 3.1.2; Li et al. 2024 (EAGLE-2), section 4"
public final class BestPaths {
    private BestPaths() {}

    /// The guesses at a depth.
    ///
    /// @param tokens best first
    /// @param scores their log probabilities, not rising
    @SuppressWarnings("ArrayRecordComponent")
    public record Slot(int[] tokens, double[] scores) {}

    /// Where nodes go.
    @FunctionalInterface
    public interface Tree {
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

    /// Adds the best nodes, parents before children.
    ///
    /// @param slots     the guesses by depth, from 1
    /// @param count     most nodes
    /// @param continues whether children may grow below a guess of this log probability, which stays in any case
    /// @param tree      gets them
    public static void grow(List<Slot> slots, int count, DoublePredicate continues, Tree tree) {
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
