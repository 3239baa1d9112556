package dev.outrider.drafting;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;

/// A draft and the network rows its nodes were run in, so that the rows of an accepted path can be kept.
public record DraftWithRows(Draft draft, int[] rows) {
    /// The row of a node, counted as in [DraftStepper#step]; -1 for the root and for nodes whose
    /// successors were never computed, such as the deepest ones.
    int row(int node) {
        return rows[node];
    }

    /// Rows of the accepted nodes that were run, ascending. Accepted nodes without a row are leaves
    /// that the drafter has not run yet: the cache does not have them.
    public List<Integer> acceptedRows(Verdict verdict) {
        var accepted = new ArrayList<Integer>();
        for (int node : verdict.acceptedNodes()) {
            if (rows[node] < 0) {
                break;
            }
            accepted.add(rows[node]);
        }
        return accepted;
    }
}
