package dev.outrider.drafter.smallmodel;

import dev.outrider.drafting.DraftWithRows;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What was run ahead in one round. Confined to one thread at a time.
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
}
