package dev.outrider.engine.beam;

import dev.outrider.engine.beam.BeamSearch.BestSuccessors;
import dev.outrider.engine.beam.BeamSearch.SearchState;
import dev.outrider.engine.beam.ForestRows.Scored;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// A search over a forest: goes on as long as every live beam is a scored node, and says which nodes may still be needed
/// (docs/reference/algorithms.md A16.2). Confined to one thread.
final class Replay {
    private final BeamSearch search;
    private final SuccessorScores successors;
    private final SearchForest forest;
    private SearchState state;
    private List<Place> places;
    private Map<Integer, Beam> useful = new HashMap<>();

    /// The place of a live beam in the forest.
    ///
    /// @param parent the node before its last token; [SearchForest#NONE] for the forest's first node
    /// @param node   its last token's node; [SearchForest#NONE] if the forest does not have it
    private record Place(int parent, int node) {
        /// Returns the deepest node of the beam's text in the forest.
        int anchor() {
            return node == SearchForest.NONE ? parent : node;
        }
    }

    /// The result of a pass.
    ///
    /// @param steps steps of the search, at least 1
    /// @param kept  guesses that became live beams
    record Played(int steps, int kept) {}

    /// @param successors finds the successors of a beam
    /// @param lastToken  of the prompt
    Replay(BeamSearch search, SuccessorScores successors, int lastToken) {
        this.search = search;
        this.successors = successors;
        this.forest = new SearchForest(lastToken);
        this.state = search.start(lastToken);
        this.places = List.of(new Place(SearchForest.NONE, 0));
    }

    BeamSearch search() {
        return search;
    }

    SearchForest forest() {
        return forest;
    }

    SearchState state() {
        return state;
    }

    /// Returns the result of the search if it ends here.
    List<Hypothesis> result() {
        return search.result(state);
    }

    /// Adds the live beams that the forest does not have.
    void addLive() {
        var added = new ArrayList<Place>();
        for (int rank = 0; rank < places.size(); rank++) {
            var place = places.get(rank);
            int token = state.live().get(rank).token();
            added.add(
                    place.node() == SearchForest.NONE
                            ? new Place(place.parent(), forest.add(place.parent(), token, false))
                            : place);
        }
        places = added;
    }

    /// Adds guesses below a live beam. Guesses that may not be accepted are left out.
    void addGuesses(int rank, TokenTree guesses) {
        var nodes = new int[guesses.size()];
        nodes[0] = places.get(rank).node();
        for (int guess = 1; guess < guesses.size(); guess++) {
            if (guesses.verified(guess)) {
                nodes[guess] = forest.add(nodes[guesses.parent(guess)], guesses.token(guess), true);
            }
        }
    }

    /// Takes steps until the search is over or a live beam is not in the forest.
    ///
    /// @param scored rows of at least the nodes that were added
    Played play(Scored scored) {
        int steps = 0;
        int kept = 0;
        do {
            var found = new ArrayList<BestSuccessors>();
            for (int rank = 0; rank < places.size(); rank++) {
                found.add(successors(places.get(rank).node(), state.live().get(rank), scored));
            }
            var next = search.advance(state, found);
            places = next.live().stream().map(this::place).toList();
            state = next;
            steps++;
            kept +=
                    (int)
                            places.stream()
                                    .filter(place -> place.node() != SearchForest.NONE)
                                    .filter(place -> forest.guess(place.node()))
                                    .count();
        } while (!state.over()
                && places.stream().allMatch(place -> place.node() != SearchForest.NONE));
        if (!state.over()) {
            lookAhead(scored);
        }
        return new Played(steps, kept);
    }

    /// A live beam's place, found from that of the beam it comes from, which is still in [#places].
    private Place place(Beam beam) {
        int parent = places.get(state.live().indexOf(beam.before().orElseThrow())).node();
        return new Place(parent, forest.child(parent, beam.token()));
    }

    private BestSuccessors successors(int node, Beam beam, Scored scored) {
        var known = forest.successors(node);
        if (known.isPresent()) {
            return known.get();
        }
        var found = successors.of(beam, scored.scores().logits(node - scored.first()));
        forest.found(node, found);
        return found;
    }

    /// Reads the rows of live beams and of their possible successors while they can be read. A guess that is not among its beam's
    /// best successors never becomes live.
    private void lookAhead(Scored scored) {
        useful = new HashMap<>();
        for (int rank = 0; rank < places.size(); rank++) {
            if (places.get(rank).node() != SearchForest.NONE) {
                useful.put(places.get(rank).node(), state.live().get(rank));
            }
        }
        for (int node = 0; node < forest.size(); node++) {
            var before = useful.get(forest.parent(node));
            int token = forest.token(node);
            if (before != null) {
                var score = successors(forest.parent(node), before, scored).score(token);
                if (score.isPresent()) {
                    useful.put(node, before.followedBy(token, score.getAsDouble()));
                }
            }
            var own = useful.get(node);
            if (own != null) {
                successors(node, own, scored);
            }
        }
    }

    /// Drops nodes that are neither before nor after a live beam, and guesses too if the live beams would not fit otherwise.
    ///
    /// @param room most nodes that there are rows for
    /// @return the nodes that stay, by their numbers before, ascending; the first is the new root
    List<Integer> keep(int room) {
        var lines = places.stream().map(place -> line(place.anchor())).toList();
        int shared =
                lines.stream().mapToInt(line -> common(lines.getFirst(), line)).min().orElseThrow();
        var kept = new TreeSet<Integer>();
        lines.forEach(line -> kept.addAll(line.subList(shared - 1, line.size())));
        var guessed = new TreeSet<>(useful.keySet());
        guessed.addAll(kept);
        if (guessed.size() + search.settings().beams() <= room) {
            kept.addAll(guessed);
        }
        var nodes = List.copyOf(kept);
        var renumbered = new HashMap<Integer, Integer>();
        nodes.forEach(node -> renumbered.put(node, renumbered.size()));
        renumbered.put(SearchForest.NONE, SearchForest.NONE);
        places =
                places.stream()
                        .map(place ->
                                new Place(
                                        renumbered.getOrDefault(place.parent(), SearchForest.NONE),
                                        renumbered.getOrDefault(place.node(), SearchForest.NONE)))
                        .toList();
        forest.keep(nodes);
        return nodes;
    }

    /// Nodes from the root to a node.
    private List<Integer> line(int node) {
        var line = new ArrayList<Integer>();
        for (int walker = node; walker != SearchForest.NONE; walker = forest.parent(walker)) {
            line.add(walker);
        }
        return line.reversed();
    }

    private static int common(List<Integer> one, List<Integer> other) {
        int both = Math.min(one.size(), other.size());
        for (int index = 0; index < both; index++) {
            if (!one.get(index).equals(other.get(index))) {
                return index;
            }
        }
        return both;
    }

    /// Live beams and guesses as one tree, with common prefixes once: its nodes, which of them the target has scored, and the
    /// successors found in their rows. Confined to one thread.
    static final class SearchForest {
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

        /// Returns the number of nodes.
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

        /// Returns the successors that were found in the row of a node; empty if the row was not read yet.
        Optional<BestSuccessors> successors(int node) {
            return nodes.get(node).successors();
        }

        void found(int node, BestSuccessors successors) {
            var known = nodes.get(node);
            nodes.set(
                    node,
                    new Node(
                            known.parent(), known.token(), known.guess(), Optional.of(successors)));
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
                int parent =
                        nodes.isEmpty() ? NONE : Objects.requireNonNull(places.get(node.parent()));
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
}
