package dev.outrider.experiment.lab;

import dev.outrider.engine.prediction.RoundChain;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The expected rounds of a question along a text, or along several of a prompt.
///
/// @param prompt that the text continues
/// @param tokens of the text
/// @param byRows expected rounds by the rows of their pass
/// @param drafts expected rounds with a draft
/// @param steps  expected steps of these drafts, one a level, by the nodes that a step goes on from
record Replay(
        String prompt,
        double tokens,
        SortedMap<Integer, Double> byRows,
        double drafts,
        SortedMap<Integer, Double> steps) {
    Replay {
        byRows = Collections.unmodifiableSortedMap(byRows);
        steps = Collections.unmodifiableSortedMap(steps);
    }

    static Replay of(RecordedText text, Question question) {
        var chain = new RoundChain(text.tokens());
        // By depth, for that is what rows and steps depend on but where drafts are recorded trees.
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

    Replay plus(Replay other) {
        return new Replay(
                prompt,
                tokens + other.tokens,
                sum(byRows, other.byRows),
                drafts + other.drafts,
                sum(steps, other.steps));
    }

    private static SortedMap<Integer, Double> sum(
            SortedMap<Integer, Double> one, SortedMap<Integer, Double> other) {
        var both = new TreeMap<>(one);
        other.forEach((rows, count) -> both.merge(rows, count, Double::sum));
        return both;
    }

    /// Of the longest pass.
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
}
