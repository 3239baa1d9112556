package dev.outrider.engine.length;

import dev.outrider.common.ExploreExploit;
import dev.outrider.engine.model.OptimalTrees;
import dev.outrider.engine.model.OptimalTrees.PositionalAcceptance;
import dev.outrider.engine.model.RoundCost;
import dev.outrider.engine.model.RoundCost.Shape;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Acceptance and costs learned by the sequences of one variant, and the tree that was fitted to them. Thread-safe.
///
/// First the drafter's own tree, which says how large, deep and wide trees may be. Then its probes, twice: times of the first ascent are
/// forgotten, since a machine is slower at first. From then on the fitted tree, and now and then a probe of the probes as a trial.
final class TreeExperience {
    private static final int ASCENTS = 2;

    /// Rungs that are timed whatever comes of them.
    private static final int FIRST_RUNGS = 2;

    /// A tree that looks slower than so many times plain decoding, and all larger ones, need not be timed at once.
    private static final double HOPELESS = 0.5;

    private final int every;
    private final double trials;
    private final RankRates rates = new RankRates();
    private List<List<Integer>> own = List.of();
    private Optional<Climb> climb = Optional.empty();
    private Optional<Fit> fit = Optional.empty();
    private int numbers;
    private int sinceFit;

    /// The tree to ask for.
    ///
    /// @param reason why
    record Choice(AskedTree asked, String reason) {}

    /// The probes, what was timed on it, and how far it was climbed.
    private static final class Climb {
        private final ProbeSizes probes;
        private final TreeCosts costs;
        private final ExploreExploit choice;
        private int steps;

        Climb(List<List<Integer>> tree, double trials) {
            probes = new ProbeSizes(tree);
            costs = new TreeCosts(probes.whole().paths().size());
            choice = ExploreExploit.withOneBudget(probes.size(), trials);
        }

        /// Notes that a tree is asked for. Fitted trees are no sizes and are not explored.
        void used(AskedTree asked) {
            if (asked.number() < probes.size()) {
                choice.used(asked.number());
            }
        }

        /// Sequences may end before a probe was timed; then the climb goes on.
        boolean done() {
            return costs.comparable() && steps >= ASCENTS * probes.size();
        }

        AskedTree next(RankRates rates) {
            int probe = steps % probes.size();
            if (probe > FIRST_RUNGS && hopeless(probes.probe(probe), rates)) {
                steps += probes.size() - probe;
                probe = 0;
            }
            if (steps == probes.size()) {
                costs.forget();
            }
            steps++;
            return probes.probe(probe);
        }

        private boolean hopeless(AskedTree probe, RankRates rates) {
            if (!costs.comparable()) {
                return false;
            }
            var acceptance = rates.acceptance();
            var cost = costs.known();
            return new Fit(probe, acceptance, cost).rate()
                    < HOPELESS * new Fit(probes.plain(), acceptance, cost).rate();
        }
    }

    TreeExperience(RefittedTree settings) {
        this.every = settings.every();
        this.trials = settings.trials();
    }

    /// Returns the tree to ask for in the next rounds of a sequence.
    synchronized Choice choose() {
        if (climb.isEmpty()) {
            if (own.isEmpty()) {
                return new Choice(AskedTree.own(numbers), ExploreExploit.LEARNING);
            }
            climb = Optional.of(new Climb(own, trials));
            numbers = climb.get().probes.size();
        }
        var learned = climb.get();
        var choice =
                learned.done()
                        ? fittedOrTrial(learned)
                        : new Choice(learned.next(rates), ExploreExploit.LEARNING);
        learned.used(choice.asked());
        return choice;
    }

    private Choice fittedOrTrial(Climb learned) {
        if (fit.isEmpty() || sinceFit >= every) {
            fit = Optional.of(fitted(learned));
            sinceFit = 0;
        }
        var best = fit.get();
        var trial =
                learned.choice.trial(
                        best.asked().number(),
                        _ -> true,
                        probe -> ExploreExploit.HOLD * best.loss(learned.probes.probe(probe)));
        return trial.isPresent()
                ? new Choice(learned.probes.probe(trial.getAsInt()), ExploreExploit.TRIAL)
                : new Choice(best.asked(), ExploreExploit.BEST);
    }

    /// The best tree of all, unless the one in use is nearly as good.
    private Fit fitted(Climb learned) {
        var acceptance = rates.acceptance();
        var cost = learned.costs.known();
        var plain = new Fit(learned.probes.plain(), acceptance, cost);
        var whole = learned.probes.whole();
        var paths =
                new OptimalTrees(acceptance, whole.paths().size(), whole.depth())
                        .fastest(cost::of)
                        .paths();
        var tree = new Fit(AskedTree.of(numbers, paths), acceptance, cost);
        var best = tree.rate() > plain.rate() ? tree : plain;
        var kept = fit.map(Fit::asked).map(asked -> new Fit(asked, acceptance, cost));
        if (kept.isPresent() && best.rate() <= ExploreExploit.MARGIN * kept.get().rate()) {
            return kept.get();
        }
        numbers++;
        return best;
    }

    /// Learns from a round.
    ///
    /// @param asked  the tree that was asked for
    /// @param timely whether its time says what such rounds take
    synchronized void observe(RoundCompleted round, AskedTree asked, boolean timely) {
        var tree = round.draft().tree();
        rates.observe(tree, round.verdict());
        if (climb.isEmpty()) {
            own = tree.candidateNodes() > own.size() ? AskedTree.paths(tree) : own;
            return;
        }
        var costs = climb.get().costs;
        double nanos = costs.own(round);
        if (timely) {
            costs.observe(round, nanos);
        }
        var choice = climb.get().choice;
        choice.spend(nanos);
        sinceFit++;
        fit.filter(best -> best.asked().number() != asked.number())
                .ifPresent(best ->
                        choice.explored(
                                0, nanos - (round.verdict().acceptedLength() + 1) / best.rate()));
    }

    /// A tree and what it was fitted to.
    private record Fit(AskedTree asked, PositionalAcceptance acceptance, RoundCost cost) {
        /// Tokens a nanosecond that it lets expect.
        double rate() {
            return tokens(asked) / nanos(asked);
        }

        /// Nanoseconds that a round of another tree is expected to take beyond what its tokens would take with this one.
        double loss(AskedTree other) {
            return nanos(other) - tokens(other) / rate();
        }

        private double tokens(AskedTree other) {
            return acceptance.expectedTokens(other.paths());
        }

        private double nanos(AskedTree other) {
            return cost.of(other.paths().size(), other.depth());
        }
    }

    /// For each rank, the share of the accepted nodes with a child of this rank whose accepted child it is. They are
    /// exponential averages: trees of different widths count together, and old text is forgotten. Not thread-safe.
    ///
    /// @see "Chen et al. 2024 (Sequoia), definition 3.1: positional acceptance"
    private static final class RankRates {
        /// Memory of a rate: about 500 accepted nodes. Trees are fitted every hundred rounds or so, and need exact rates.
        private static final double MEMORY = 0.998;

        private static final int NONE = -1;

        private final List<Average> ranks = new ArrayList<>();

        /// Learns from a round.
        void observe(TokenTree tree, Verdict verdict) {
            int node = 0;
            for (int child : verdict.acceptedNodes()) {
                offered(tree.candidates(node), child);
                node = child;
            }
            offered(tree.candidates(node), NONE);
        }

        private void offered(int[] children, int accepted) {
            for (int rank = 0; rank < children.length; rank++) {
                if (rank == ranks.size()) {
                    ranks.add(new Average(MEMORY));
                }
                ranks.get(rank).add(children[rank] == accepted ? 1 : 0);
            }
        }

        /// Acceptance by rank. The ranks were not offered equally often, so their rates may add up to a little more than 1, and are scaled then.
        ///
        /// @throws IllegalArgumentException if nothing was offered
        PositionalAcceptance acceptance() {
            var rates = ranks.stream().map(Average::value).toList();
            double sum = rates.stream().mapToDouble(Double::doubleValue).sum();
            return new PositionalAcceptance(
                    sum > 1 ? rates.stream().map(rate -> rate / sum).toList() : rates);
        }
    }

    /// Plain decoding and the first 1, 2, 4, … nodes of a tree, level by level, up to the whole of it: what rounds are timed with. Not thread-safe.
    private static final class ProbeSizes {
        /// More nodes are not fitted.
        static final int MAX_NODES = 256;

        private final List<AskedTree> sizes = new ArrayList<>();

        /// @param tree rank paths, elder siblings first; at least one
        ProbeSizes(List<List<Integer>> tree) {
            var levels =
                    tree.stream()
                            .sorted(Comparator.comparingInt(List::size))
                            .limit(MAX_NODES)
                            .toList();
            sizes.add(AskedTree.of(sizes.size(), List.of()));
            for (int size = 1; size < levels.size(); size *= 2) {
                sizes.add(AskedTree.of(sizes.size(), levels.subList(0, size)));
            }
            sizes.add(AskedTree.of(sizes.size(), levels));
        }

        /// Number of sizes.
        int size() {
            return sizes.size();
        }

        /// Plain decoding.
        AskedTree plain() {
            return sizes.getFirst();
        }

        /// The whole tree.
        AskedTree whole() {
            return sizes.getLast();
        }

        AskedTree probe(int number) {
            return sizes.get(number);
        }
    }

    /// Measured costs of rounds by their tree: drafting by levels and nodes, everything else by rows. Not thread-safe.
    private static final class TreeCosts {
        /// Memory of the times of a shape: about 10 rounds.
        private static final double MEMORY = 0.9;

        private final RowCosts shared = new RowCosts();
        private final RoundCosts others;
        private final Map<Shape, Average> drafting = new HashMap<>();

        /// @param nodes most drafted nodes
        TreeCosts(int nodes) {
            others = new RoundCosts(nodes);
        }

        /// Nanoseconds that a round took, its own rows of a shared pass as its own.
        double own(RoundCompleted round) {
            shared.observe(round.pass());
            return shared.own(round);
        }

        /// Learns from a round.
        ///
        /// @param nanos that it took
        void observe(RoundCompleted round, double nanos) {
            var tree = round.draft().tree();
            int nodes = tree.draftedNodes();
            double draft = Math.min(nanos, round.times().draft());
            others.observe(nodes, nanos - draft, 1.0 / round.pass().sequences());
            if (nodes > 0) {
                var shape = new Shape(nodes, tree.maxDepth());
                drafting.computeIfAbsent(shape, _ -> new Average(MEMORY)).add(draft);
            }
        }

        /// Forgets all times.
        void forget() {
            others.forget();
            drafting.clear();
        }

        /// Whether plain decoding and drafts were timed.
        boolean comparable() {
            return others.comparable();
        }

        /// Returns the costs; plain decoding and drafts were timed.
        RoundCost known() {
            var byRows = new TreeMap<Integer, Double>();
            double[] curve = others.curve();
            for (int nodes = 0; nodes < curve.length; nodes++) {
                byRows.put(nodes + 1, curve[nodes]);
            }
            var drafts = new HashMap<Shape, Double>();
            drafting.forEach((shape, average) -> drafts.put(shape, average.value()));
            return RoundCost.fit(drafts, byRows);
        }
    }

    /// A tree that a round may be asked for. Immutable.
    ///
    /// @param number tells it from others
    /// @param depth  greatest depth; 0 is plain decoding
    /// @param tree   rank paths; empty for the drafter's own tree and for plain decoding
    record AskedTree(int number, int depth, Optional<TreePlan.RankPaths> tree) {
        /// The drafter's own.
        static AskedTree own(int number) {
            return new AskedTree(number, Integer.MAX_VALUE, Optional.empty());
        }

        /// @param paths of all nodes; none for plain decoding
        static AskedTree of(int number, List<List<Integer>> paths) {
            if (paths.isEmpty()) {
                return new AskedTree(number, 0, Optional.empty());
            }
            var tree = new TreePlan.RankPaths(paths);
            return new AskedTree(number, tree.maxDepth(), Optional.of(tree));
        }

        /// Of all nodes.
        List<List<Integer>> paths() {
            return tree.map(TreePlan.RankPaths::paths).orElse(List.of());
        }

        /// Refuses the draft of a drafter that grows other trees than it is asked for.
        void requireGrown(TokenTree drafted) {
            if (tree.isEmpty()) {
                return;
            }
            var asked = new HashSet<>(paths());
            for (var path : paths(drafted)) {
                if (!asked.contains(path)) {
                    throw new OutriderException(
                            ErrorCode.CAPABILITY_MISSING,
                            "the drafter was asked for the tree %s and drafted the node %s, which is not in it"
                                    .formatted(paths(), path),
                            "Choose a tree that is laid out beforehand (widths, paths, a file, draws with or without replacement) for one of"
                                    + " the drafters that can have one, or another draftLength.");
                }
            }
        }

        /// Rank paths of the nodes that may be accepted, elder siblings first.
        static List<List<Integer>> paths(TokenTree tree) {
            List<List<Integer>> paths = new ArrayList<>();
            below(tree, 0, List.of(), paths);
            return paths;
        }

        private static void below(
                TokenTree tree, int node, List<Integer> path, List<List<Integer>> paths) {
            int[] children = tree.candidates(node);
            for (int rank = 0; rank < children.length; rank++) {
                var child = new ArrayList<>(path);
                child.add(rank);
                paths.add(List.copyOf(child));
                below(tree, children[rank], child, paths);
            }
        }
    }
}
