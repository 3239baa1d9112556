package dev.outrider.engine.beam;

import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Live beams and guesses as one tree, shared beginnings once: which nodes there are, which of them the target has scored, and what was
/// found in their rows. Confined to one thread.
final class SearchForest {
    /// No such node.
    static final int NONE = -1;

    private List<Node> nodes = new ArrayList<>();
    private Map<Long, Integer> children = new HashMap<>();
    private int held;

    /// @param guess whether a drafter put it there
    private record Node(
            int parent, int token, boolean guess, Optional<BestSuccessors> successors) {}

    /// @param rootToken the last token that all beams have in common
    SearchForest(int rootToken) {
        add(NONE, rootToken, false);
    }

    /// Number of nodes.
    int size() {
        return nodes.size();
    }

    /// Number of nodes, from the first, that are scored.
    int held() {
        return held;
    }

    /// The child of a node, which is added if it is new.
    ///
    /// @param guess whether a drafter puts it there
    int add(int parent, int token, boolean guess) {
        int known = child(parent, token);
        if (known != NONE) {
            return known;
        }
        nodes.add(new Node(parent, token, guess, Optional.empty()));
        children.put(key(parent, token), nodes.size() - 1);
        return nodes.size() - 1;
    }

    /// The child of a node that carries a token, or [#NONE].
    int child(int parent, int token) {
        return children.getOrDefault(key(parent, token), NONE);
    }

    int parent(int node) {
        return nodes.get(node).parent();
    }

    int token(int node) {
        return nodes.get(node).token();
    }

    boolean guess(int node) {
        return nodes.get(node).guess();
    }

    /// What was found in the row of a node; empty if nobody has looked yet.
    Optional<BestSuccessors> successors(int node) {
        return nodes.get(node).successors();
    }

    void found(int node, BestSuccessors successors) {
        var known = nodes.get(node);
        nodes.set(
                node,
                new Node(known.parent(), known.token(), known.guess(), Optional.of(successors)));
    }

    /// Number of nodes above a node.
    int depth(int node) {
        int depth = 0;
        for (int walker = parent(node); walker != NONE; walker = parent(walker)) {
            depth++;
        }
        return depth;
    }

    /// The forest as a target scores it.
    TokenTree tree() {
        var builder = TokenTree.builder(token(0));
        for (var node : nodes.subList(1, nodes.size())) {
            builder.add(node.parent(), node.token());
        }
        return builder.build();
    }

    /// Drops all but some nodes, which are scored.
    ///
    /// @param kept the new root and nodes below it, ascending
    void keep(List<Integer> kept) {
        var before = nodes;
        var places = new HashMap<Integer, Integer>();
        nodes = new ArrayList<>();
        children = new HashMap<>();
        for (int old : kept) {
            var node = before.get(old);
            int parent = nodes.isEmpty() ? NONE : Objects.requireNonNull(places.get(node.parent()));
            places.put(old, nodes.size());
            children.put(key(parent, node.token()), nodes.size());
            nodes.add(new Node(parent, node.token(), node.guess(), node.successors()));
        }
        held = nodes.size();
    }

    private static long key(int parent, int token) {
        return (long) parent << Integer.SIZE | token;
    }
}
