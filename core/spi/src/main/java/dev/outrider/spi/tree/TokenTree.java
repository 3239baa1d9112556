package dev.outrider.spi.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;
import org.apiguardian.api.API.Status;

/// A draft's tokens as a tree. Node 0, the root, is the last committed token; its key and value are not in
/// the target's cache yet. Every other node was guessed as a successor of its parent.
///
/// Nodes are in topological order (`parent(i) < i`), so a chain is the tree in which node `i` has parent
/// `i - 1`. Siblings are in draw order, which some acceptance rules rely on. A node can be *unverified*
/// (the window of lookahead decoding): it is scored and visible to the drafter, but never accepted.
///
/// Immutable and thread-safe.
///
/// @see "Miao et al. 2023 (SpecInfer), section 4: token tree"
@API(status = Status.STABLE, since = "2")
public final class TokenTree {
    private final int[] tokens;
    private final int[] parents;
    private final int[] depths;
    private final boolean[] verified;
    private final int[][] children;

    private TokenTree(int[] tokens, int[] parents, boolean[] verified) {
        this.tokens = tokens;
        this.parents = parents;
        this.verified = verified;
        this.depths = new int[tokens.length];
        var childCount = new int[tokens.length];
        for (int node = 1; node < tokens.length; node++) {
            depths[node] = depths[parents[node]] + 1;
            childCount[parents[node]]++;
        }
        this.children = new int[tokens.length][];
        for (int node = 0; node < tokens.length; node++) {
            children[node] = new int[childCount[node]];
        }
        for (int node = tokens.length - 1; node > 0; node--) {
            children[parents[node]][--childCount[parents[node]]] = node;
        }
    }

    /// {@return the tree of the root alone: an empty draft}
    ///
    /// @param rootToken the last committed token
    public static TokenTree rootOnly(int rootToken) {
        requireToken(rootToken);
        return new TokenTree(new int[] {rootToken}, new int[] {-1}, new boolean[] {true});
    }

    private static void requireToken(int token) {
        if (token < 0) {
            throw new IllegalArgumentException("token %d is negative".formatted(token));
        }
    }

    /// {@return the chain root, `drafted[0]`, `drafted[1]`, …}
    ///
    /// @param rootToken the last committed token
    /// @param drafted   the guesses in order
    public static TokenTree chain(int rootToken, int... drafted) {
        var builder = builder(rootToken);
        int parent = 0;
        for (int token : drafted) {
            parent = builder.add(parent, token);
        }
        return builder.build();
    }

    /// Starts a tree with the given root token.
    ///
    /// @param rootToken the last committed token
    /// @return a builder that holds the root
    public static Builder builder(int rootToken) {
        return new Builder(rootToken);
    }

    /// {@return number of nodes, the root included; at least 1}
    public int size() {
        return tokens.length;
    }

    /// {@return number of nodes below the root}
    public int draftedNodes() {
        return tokens.length - 1;
    }

    /// {@return token id of a node}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int token(int node) {
        return tokens[node];
    }

    /// {@return parent of a node; -1 for the root}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int parent(int node) {
        return parents[node];
    }

    /// {@return distance from the root; 0 for the root} The position of a node in the sequence is the target's
    /// committed length plus its depth.
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int depth(int node) {
        return depths[node];
    }

    /// {@return greatest depth of any node, unverified ones included}
    public int maxDepth() {
        return Arrays.stream(depths).max().orElse(0);
    }

    /// {@return number of nodes below the root that may be accepted}
    public int candidateNodes() {
        int count = 0;
        for (int node = 1; node < verified.length; node++) {
            count += verified[node] ? 1 : 0;
        }
        return count;
    }

    /// {@return greatest depth of a node that may be accepted: the most draft tokens a round can accept}
    public int candidateDepth() {
        int deepest = 0;
        for (int node = 1; node < verified.length; node++) {
            deepest = verified[node] ? Math.max(deepest, depths[node]) : deepest;
        }
        return deepest;
    }

    /// {@return whether a node may be accepted}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public boolean verified(int node) {
        return verified[node];
    }

    /// {@return number of children, unverified ones included}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int childCount(int node) {
        return children[node].length;
    }

    /// {@return the `index`-th child in draw order}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    /// @param index 0 is the first
    public int child(int node, int index) {
        return children[node][index];
    }

    /// {@return the children that may be accepted, in draw order}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int[] candidates(int node) {
        return Arrays.stream(children[node]).filter(child -> verified[child]).toArray();
    }

    /// {@return whether no node has two children and every node is verified}
    public boolean isChain() {
        for (int node = 1; node < tokens.length; node++) {
            if (parents[node] != node - 1 || !verified[node]) {
                return false;
            }
        }
        return true;
    }

    /// {@return whether `ancestor` lies on the path from the root to `node`; every node is its own ancestor} This is
    /// the attention mask among the nodes of a tree.
    ///
    /// @param ancestor a node
    /// @param node index into the tree; `0 <= node < size()`
    public boolean isAncestor(int ancestor, int node) {
        int walker = node;
        while (walker > ancestor) {
            walker = parents[walker];
        }
        return walker == ancestor;
    }

    /// {@return nodes from the root to `node`, both included}
    ///
    /// @param node index into the tree; `0 <= node < size()`
    public int[] path(int node) {
        var path = new int[depths[node] + 1];
        for (int walker = node, index = depths[node]; index >= 0; index--) {
            path[index] = walker;
            walker = parents[walker];
        }
        return path;
    }

    /// {@return the tree of some of the nodes, in their order} Whether a node may be accepted does not change.
    ///
    /// @param nodes the new root and nodes below it, ascending, each but the first with its parent
    /// @throws IllegalArgumentException if they are not such nodes
    public TokenTree part(List<Integer> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("a tree has at least one node");
        }
        var places = new int[size()];
        Arrays.fill(places, -1);
        var builder = builder(token(nodes.getFirst()));
        places[nodes.getFirst()] = 0;
        for (int node : nodes.subList(1, nodes.size())) {
            int parent = node > 0 && node < size() ? places[parent(node)] : -1;
            if (parent < 0 || places[node] >= 0) {
                throw new IllegalArgumentException(
                        "nodes %s of a tree of %d are not a tree in ascending order"
                                .formatted(nodes, size()));
            }
            places[node] = builder.append(parent, token(node), verified(node));
        }
        return builder.build();
    }

    /// {@return whether the first nodes of this tree are the nodes of another one}
    ///
    /// @param beginning the other tree
    public boolean startsWith(TokenTree beginning) {
        int size = beginning.size();
        return size <= size()
                && Arrays.equals(tokens, 0, size, beginning.tokens, 0, size)
                && Arrays.equals(parents, 0, size, beginning.parents, 0, size)
                && Arrays.equals(verified, 0, size, beginning.verified, 0, size);
    }

    /// {@return token ids of all nodes in order} The caller owns the array.
    public int[] tokens() {
        return tokens.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenTree that
                && Arrays.equals(tokens, that.tokens)
                && Arrays.equals(parents, that.parents)
                && Arrays.equals(verified, that.verified);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(tokens) + Arrays.hashCode(parents);
    }

    @Override
    public String toString() {
        return "TokenTree[tokens=%s, parents=%s]"
                .formatted(Arrays.toString(tokens), Arrays.toString(parents));
    }

    /// Grows a tree node by node. Confined to one thread.
    public static final class Builder {
        private final List<Integer> tokens = new ArrayList<>();
        private final List<Integer> parents = new ArrayList<>();
        private final List<Boolean> verified = new ArrayList<>();

        private Builder(int rootToken) {
            append(-1, rootToken, true);
        }

        /// Adds a node that may be accepted and returns its index.
        ///
        /// @param parent a node that is already in the tree
        /// @param token token id
        /// @return the node's index
        /// @throws IllegalArgumentException if the parent does not exist yet or is unverified
        public int add(int parent, int token) {
            requireParent(parent);
            if (!verified.get(parent)) {
                throw new IllegalArgumentException(
                        "node under unverified parent %d cannot be verified".formatted(parent));
            }
            return append(parent, token, true);
        }

        /// As [#add], unless the parent already has a child with this token that may be accepted: then that
        /// child is returned. Merges guesses with shared prefixes; not for nodes that were drawn from a distribution.
        ///
        /// @param parent a node that is already in the tree
        /// @param token token id
        /// @return the node's index
        public int addDistinct(int parent, int token) {
            for (int child = parent + 1; child < tokens.size(); child++) {
                if (parents.get(child) == parent
                        && tokens.get(child) == token
                        && verified.get(child)) {
                    return child;
                }
            }
            return add(parent, token);
        }

        /// Adds a node that is scored but never accepted, and returns its index.
        ///
        /// @param parent a node that is already in the tree
        /// @param token token id
        /// @return the node's index
        /// @throws IllegalArgumentException if the parent does not exist yet
        public int addUnverified(int parent, int token) {
            requireParent(parent);
            return append(parent, token, false);
        }

        /// {@return number of nodes so far, the root included}
        public int size() {
            return tokens.size();
        }

        /// {@return the finished tree}
        public TokenTree build() {
            int[] tokenArray = tokens.stream().mapToInt(Integer::intValue).toArray();
            int[] parentArray = parents.stream().mapToInt(Integer::intValue).toArray();
            var verifiedArray = new boolean[tokenArray.length];
            for (int node = 0; node < verifiedArray.length; node++) {
                verifiedArray[node] = verified.get(node);
            }
            return new TokenTree(tokenArray, parentArray, verifiedArray);
        }

        private void requireParent(int parent) {
            if (parent < 0 || parent >= tokens.size()) {
                throw new IllegalArgumentException(
                        "parent %d of node %d does not exist yet".formatted(parent, tokens.size()));
            }
        }

        private int append(int parent, int token, boolean mayBeAccepted) {
            requireToken(token);
            tokens.add(token);
            parents.add(parent);
            verified.add(mayBeAccepted);
            return tokens.size() - 1;
        }
    }
}
