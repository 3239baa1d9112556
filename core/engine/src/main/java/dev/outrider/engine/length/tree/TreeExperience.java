package dev.outrider.engine.length.tree;

import dev.outrider.engine.length.gain.RoundCosts;
import dev.outrider.engine.length.gain.RowCosts;
import dev.outrider.engine.theory.RoundCost.Shape;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.Comparator;
import dev.outrider.engine.length.Average;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import dev.outrider.engine.theory.PositionalAcceptance;
import dev.outrider.engine.theory.RoundCost;
import dev.outrider.common.Reasons;
import dev.outrider.common.ExplorationBudget;
import dev.outrider.engine.theory.OptimalTrees;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import java.util.List;
import java.util.Optional;

/// What the sequences of one variant have learned of acceptance and costs, and the tree that was fitted to it. Thread-safe.
///
/// First the drafter's own tree, which says how large, deep and wide trees may be. Then its ladder, twice: times of the first ascent are
/// forgotten, since a machine is slower at first. From then on the fitted tree, and now and then a rung of the ladder as a trial.
final class TreeExperience {
    /// Rounds that keep a tree.
    static final int HOLD = 4;

    /// How much better another tree must look than the one in use.
    private static final double MARGIN = 1.02;

    private static final int ASCENTS = 2;

    /// Rungs that are timed whatever comes of them.
    private static final int FIRST_RUNGS = 2;

    /// A tree that looks slower than so many times plain decoding, and all larger ones, need not be timed at once.
    private static final double HOPELESS = 0.5;

    private final int every;
    private final ExplorationBudget trials;
    private final RankRates rates = new RankRates();
    private List<List<Integer>> own = List.of();
    private Optional<Climb> climb = Optional.empty();
    private Optional<Fit> fit = Optional.empty();
    private int numbers;
    private int sinceFit;

    /// What to ask for.
    ///
    /// @param reason why
    record Choice(AskedTree asked, String reason) {}

    /// The ladder, what was timed on it, and how far it was climbed.
    private static final class Climb {
        private final Ladder ladder;
        private final TreeCosts costs;
        private int steps;

        Climb(List<List<Integer>> tree) {
            ladder = new Ladder(tree);
            costs = new TreeCosts(ladder.whole().paths().size());
        }

        /// Sequences may end before a rung was timed; then the climb goes on.
        boolean done() {
            return costs.comparable() && steps >= ASCENTS * ladder.size();
        }

        AskedTree next(RankRates rates) {
            int rung = steps % ladder.size();
            if (rung > FIRST_RUNGS && hopeless(ladder.rung(rung), rates)) {
                steps += ladder.size() - rung;
                rung = 0;
            }
            if (steps == ladder.size()) {
                costs.forget();
            }
            steps++;
            return ladder.rung(rung);
        }

        private boolean hopeless(AskedTree rung, RankRates rates) {
            if (!costs.comparable()) {
                return false;
            }
            var acceptance = rates.acceptance();
            var cost = costs.known();
            return new Fit(rung, acceptance, cost).rate()
                    < HOPELESS * new Fit(ladder.plain(), acceptance, cost).rate();
        }
    }

    TreeExperience(RefittedTree settings) {
        this.every = settings.every();
        this.trials = new ExplorationBudget(settings.trials());
    }

    /// What to ask for in the next rounds of a sequence.
    synchronized Choice choose() {
        if (climb.isEmpty()) {
            if (own.isEmpty()) {
                return new Choice(AskedTree.own(numbers), Reasons.LEARNING);
            }
            climb = Optional.of(new Climb(own));
            numbers = climb.get().ladder.size();
        }
        var learned = climb.get();
        var choice =
                learned.done()
                        ? fittedOrTrial(learned)
                        : new Choice(learned.next(rates), Reasons.LEARNING);
        learned.ladder.used(choice.asked());
        return choice;
    }

    private Choice fittedOrTrial(Climb learned) {
        if (fit.isEmpty() || sinceFit >= every) {
            fit = Optional.of(fitted(learned));
            sinceFit = 0;
        }
        var best = fit.get();
        var trial = learned.ladder.oldest(best.asked());
        return trials.affords(HOLD * Math.max(0, best.loss(trial)))
                ? new Choice(trial, Reasons.TRIAL)
                : new Choice(best.asked(), Reasons.BEST);
    }

    /// The best tree of all, unless the one in use is nearly as good.
    private Fit fitted(Climb learned) {
        var acceptance = rates.acceptance();
        var cost = learned.costs.known();
        var plain = new Fit(learned.ladder.plain(), acceptance, cost);
        var whole = learned.ladder.whole();
        var paths =
                new OptimalTrees(acceptance, whole.paths().size(), whole.depth())
                        .fastest(cost::of)
                        .paths();
        var tree = new Fit(AskedTree.of(numbers, paths), acceptance, cost);
        var best = tree.rate() > plain.rate() ? tree : plain;
        var kept = fit.map(Fit::asked).map(asked -> new Fit(asked, acceptance, cost));
        if (kept.isPresent() && best.rate() <= MARGIN * kept.get().rate()) {
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
        trials.spend(nanos);
        sinceFit++;
        fit.filter(best -> best.asked().number() != asked.number())
                .ifPresent(best ->
                        trials.tried(nanos - (round.verdict().acceptedLength() + 1) / best.rate()));
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

    /// How often the child of each rank is the accepted one, among the accepted nodes that had a child of this rank: exponential averages, so that
    /// trees of different widths count together and old text is forgotten. Not thread-safe.
    ///
    /// @see "Chen et al. 2024 (Sequoia), definition 3.1: positional acceptance"
    private static final class RankRates {
        /// Share of the past that a node leaves.
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
    private static final class Ladder {
        /// More nodes are not fitted.
        static final int MAX_NODES = 256;

        private final List<AskedTree> rungs = new ArrayList<>();
        private final long[] lastUsed;
        private long uses;

        /// @param tree rank paths, elder siblings first; at least one
        Ladder(List<List<Integer>> tree) {
            var levels =
                    tree.stream()
                            .sorted(Comparator.comparingInt(List::size))
                            .limit(MAX_NODES)
                            .toList();
            rungs.add(AskedTree.of(rungs.size(), List.of()));
            for (int size = 1; size < levels.size(); size *= 2) {
                rungs.add(AskedTree.of(rungs.size(), levels.subList(0, size)));
            }
            rungs.add(AskedTree.of(rungs.size(), levels));
            lastUsed = new long[rungs.size()];
        }

        /// Number of rungs.
        int size() {
            return rungs.size();
        }

        /// Plain decoding.
        AskedTree plain() {
            return rungs.getFirst();
        }

        /// The whole tree.
        AskedTree whole() {
            return rungs.getLast();
        }

        AskedTree rung(int number) {
            return rungs.get(number);
        }

        /// Notes that a tree was asked for, a rung or not.
        void used(AskedTree asked) {
            if (asked.number() < lastUsed.length) {
                lastUsed[asked.number()] = ++uses;
            }
        }

        /// The rung that was longest not used, but one.
        AskedTree oldest(AskedTree but) {
            return rungs.stream()
                    .filter(rung -> rung.number() != but.number())
                    .min(Comparator.comparingLong(rung -> lastUsed[rung.number()]))
                    .orElseThrow();
        }
    }

    /// What rounds cost by their tree, as measured: drafting by levels and nodes, everything else by rows. Not thread-safe.
    private static final class TreeCosts {
        /// Share of the past that a round leaves in the mean of its shape.
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

        /// What is known; plain decoding and drafts were timed.
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
}
