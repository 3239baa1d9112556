package dev.outrider.experiment.lab;

import dev.outrider.engine.model.CostCurve;
import dev.outrider.engine.model.RoundChain;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/// The expected rounds of a question along a text.
///
/// @param prompt id of the prompt
/// @param tokens of the text
/// @param byRows expected rounds by the rows of their pass
/// @param drafts expected rounds with a draft
/// @param steps  expected steps of these drafts, one a level, by the number of nodes that a step starts from
record Replay(
        String prompt,
        double tokens,
        SortedMap<Integer, Double> byRows,
        double drafts,
        SortedMap<Integer, Double> steps) {
    static Replay of(Recording.RecordedText text, Scenario question) {
        var chain = new RoundChain(text.tokens());
        // By depth, because rows and steps depend on the depth only, except for recorded trees.
        var byRows = new TreeMap<Integer, Double>();
        double[] byDepth = new double[question.length() + 1];
        for (var draft : text.drafts()) {
            double begins = chain.next(question.kept(draft));
            byRows.merge(question.rows(draft), begins, Double::sum);
            byDepth[Math.min(question.length(), draft.depth())] += begins;
        }
        byRows.merge(1, chain.next(1), Double::sum);
        double drafts = 0;
        var steps = new TreeMap<Integer, Double>();
        for (int depth = question.length(); depth >= 1; depth--) {
            drafts += byDepth[depth];
            steps.merge(question.stepsFrom(depth), drafts, Double::sum);
        }
        return new Replay(text.prompt(), text.tokens(), byRows, drafts, steps);
    }

    /// Returns the rows of the longest pass.
    int mostRows() {
        return byRows.lastKey();
    }

    /// All expected rounds.
    double rounds() {
        double rounds = 0;
        for (double each : byRows.values()) {
            rounds += each;
        }
        return rounds;
    }

    /// Says whether the passes of rounds were timed, interpolated or extrapolated.
    static final class Extrapolation {
        /// A share of rounds below this does not matter.
        private static final double SHARE = 0.05;

        private Extrapolation() {}

        /// Returns the worst case that more than one round in twenty has.
        static CostCurve.Reach of(List<Replay> replays, CostCurve target) {
            double all = 0;
            double beyond = 0;
            double between = 0;
            for (var replay : replays) {
                all += replay.rounds();
                for (var each : replay.byRows().entrySet()) {
                    switch (target.reach(each.getKey())) {
                        case BEYOND -> beyond += each.getValue();
                        case BETWEEN -> between += each.getValue();
                        case TIMED -> {}
                    }
                }
            }
            if (beyond > SHARE * all) {
                return CostCurve.Reach.BEYOND;
            }
            return beyond + between > SHARE * all ? CostCurve.Reach.BETWEEN : CostCurve.Reach.TIMED;
        }
    }

    /// The replays of a variant's texts. Each question is computed once. Thread-safe.
    static final class Replays {
        private final Recording.RecordedVariant variant;
        private final Map<Scenario, List<Replay>> known = new ConcurrentHashMap<>();

        Replays(Recording.RecordedVariant variant) {
            this.variant = variant;
        }

        /// Returns one replay for each text, in their order.
        List<Replay> of(Scenario question) {
            return known.computeIfAbsent(
                    question,
                    each -> variant.texts().stream().map(text -> Replay.of(text, each)).toList());
        }
    }
}
