package dev.outrider.drafting;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/// The ranks of a node's children, and of their children. Equal subtrees may be one object.
///
/// @param rank     the node's own rank among its parent's successors; 0 is the most probable
/// @param children by rising rank
record TreeTemplate(int rank, List<TreeTemplate> children) {
    TreeTemplate {
        children = List.copyOf(children);
    }

    /// Every node of level d has children of ranks 0 to `widths[d] - 1`.
    static TreeTemplate ofWidths(List<Integer> widths) {
        List<TreeTemplate> level = List.of();
        for (int depth = widths.size() - 1; depth >= 0; depth--) {
            var parents = new ArrayList<TreeTemplate>();
            for (int rank = 0; rank < widths.get(depth); rank++) {
                parents.add(new TreeTemplate(rank, level));
            }
            level = List.copyOf(parents);
        }
        return new TreeTemplate(0, level);
    }

    /// The listed paths. Every prefix of a path is listed too.
    static TreeTemplate ofPaths(List<List<Integer>> paths) {
        return under(0, 0, paths);
    }

    /// One more than the greatest rank among the children; 0 without children.
    int ranksNeeded() {
        return children.isEmpty() ? 0 : children.getLast().rank() + 1;
    }

    private static TreeTemplate under(int rank, int depth, List<List<Integer>> below) {
        var ranks =
                below.stream()
                        .filter(path -> path.size() == depth + 1)
                        .map(path -> path.get(depth))
                        .sorted(Comparator.naturalOrder())
                        .toList();
        var children = new ArrayList<TreeTemplate>();
        for (int childRank : ranks) {
            var deeper =
                    below.stream()
                            .filter(path -> path.size() > depth + 1 && path.get(depth) == childRank)
                            .toList();
            children.add(
                    deeper.isEmpty()
                            ? new TreeTemplate(childRank, Collections.emptyList())
                            : under(childRank, depth + 1, deeper));
        }
        return new TreeTemplate(rank, children);
    }
}
