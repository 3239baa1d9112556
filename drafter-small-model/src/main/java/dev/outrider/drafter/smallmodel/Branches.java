package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftWithRows;
import dev.outrider.drafting.GrowingDraft;
import dev.outrider.drafting.StepInput;
import dev.outrider.spi.tree.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The rows that were run ahead in one round. Confined to one thread at a time.
final class Branches {
    private final DraftWithRows proposed;
    private final LikelyOutcomes outcomes;
    private final Map<Integer, Integer> rowsAhead = new HashMap<>();
    private final List<Branch> branches = new ArrayList<>();

    /// @param proposed the round's draft
    /// @param outcomes that were thought likely
    Branches(DraftWithRows proposed, LikelyOutcomes outcomes) {
        this.proposed = proposed;
        this.outcomes = outcomes;
    }

    /// A node of the draft that had no row was run.
    void ran(int node, int row) {
        rowsAhead.put(node, row);
    }

    void add(Branch branch) {
        branches.add(branch);
    }

    List<Branch> all() {
        return branches;
    }

    /// Learns from how the round ended.
    void judge(Verdict verdict) {
        outcomes.judge(verdict);
    }

    /// The branch that a round ended as.
    Optional<Branch> foreseen(Verdict verdict) {
        return branches.stream()
                .filter(branch ->
                        branch.token() == verdict.nextToken()
                                && branch.path().equals(verdict.acceptedNodes()))
                .findFirst();
    }

    /// Scratch row of a node; negative if it has none.
    int row(int node) {
        return rowsAhead.getOrDefault(node, proposed.row(node));
    }

    /// Scratch rows of a path as far as it was run, ascending.
    List<Integer> rows(List<Integer> path) {
        return path.stream().map(this::row).takeWhile(row -> row >= 0).toList();
    }

    /// The rows that were run ahead for one outcome of a round: those of its path, of the token that follows, and of the levels of the next draft,
    /// among those that were run for others. Confined to one thread.
    static final class Branch {
        private final List<Integer> path;
        private final int token;
        private final int depth;
        private final float[] rootLogits;
        private final GrowingDraft growing;
        private final List<Integer> rows;
        private final List<Level> levels = new ArrayList<>();

        /// Draft steps that were run in one pass.
        ///
        /// @param nodes  as the next draft asks for them
        /// @param logits of each node
        record Level(List<StepInput> nodes, List<float[]> logits) {}

        /// @param path     accepted nodes
        /// @param pathRows their scratch rows
        /// @param token    that follows
        /// @param row      its scratch row
        /// @param logits   of its successors
        /// @param growing  the next draft, of which nothing has grown yet
        Branch(
                List<Integer> path,
                List<Integer> pathRows,
                int token,
                int row,
                float[] logits,
                GrowingDraft growing) {
            this.path = List.copyOf(path);
            this.token = token;
            this.depth = path.size() + 1;
            this.rootLogits = logits;
            this.growing = growing;
            this.rows = new ArrayList<>(pathRows);
            rows.add(row);
            if (!growing.done()) {
                growing.take(_ -> MemorySegment.ofArray(logits));
            }
        }

        /// Steps that the next draft wants, with rows and depths counted from the root of the last draft; none once it has all.
        List<StepInput> wanted() {
            return growing.done() ? List.of() : growing.wanted().stream().map(this::below).toList();
        }

        private StepInput below(StepInput node) {
            int parent = node.parentRow() + depth;
            return new StepInput(node.token(), rows.get(parent), depth + node.depth());
        }

        /// Takes what was wanted.
        ///
        /// @param first  scratch row of the first step; the others follow
        /// @param logits of each step
        void take(int first, List<float[]> logits) {
            var level = new Level(growing.wanted(), logits);
            for (int index = 0; index < logits.size(); index++) {
                rows.add(first + index);
            }
            levels.add(level);
            growing.take(index -> MemorySegment.ofArray(level.logits().get(index)));
        }

        /// Accepted nodes.
        List<Integer> path() {
            return path;
        }

        /// The token that follows them.
        int token() {
            return token;
        }

        /// Scratch rows of the path and of the token, then those of the levels, ascending.
        List<Integer> rows() {
            return rows;
        }

        /// Tokens that are committed if the round ends so.
        int committed() {
            return depth;
        }

        /// Logits of the token's successors.
        float[] rootLogits() {
            return rootLogits;
        }

        /// The levels of the next draft that were run, from the first.
        List<Level> levels() {
            return levels;
        }
    }
}
