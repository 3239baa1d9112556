package dev.outrider.engine.length.tree;

import dev.outrider.common.Reasons;
import dev.outrider.common.TrialBudget;
import dev.outrider.engine.model.OptimalTrees;
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
    private final TrialBudget trials;
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
        this.trials = new TrialBudget(settings.trials());
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
}
