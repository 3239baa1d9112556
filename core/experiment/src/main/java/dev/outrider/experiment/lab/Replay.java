package dev.outrider.experiment.lab;

import dev.outrider.engine.prediction.RoundChain;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// The expected rounds of a question along a text, or along several.
///
/// @param tokens of the text
/// @param byRows expected rounds by the rows of their pass
/// @param drafts expected rounds with a draft
/// @param levels of these drafts, expected in all
record Replay(double tokens, SortedMap<Integer, Double> byRows, double drafts, double levels) {
    Replay {
        byRows = Collections.unmodifiableSortedMap(byRows);
    }

    static Replay of(RecordedText text, Question question) {
        var chain = new RoundChain(text.tokens());
        var byRows = new TreeMap<Integer, Double>();
        double drafts = 0;
        double levels = 0;
        for (var draft : text.drafts()) {
            double begins = chain.next(question.kept(draft));
            int depth = Math.min(question.length(), draft.depth());
            byRows.merge(question.rows(draft), begins, Double::sum);
            drafts += depth > 0 ? begins : 0;
            levels += begins * depth;
        }
        byRows.merge(1, chain.next(1), Double::sum);
        return new Replay(text.tokens(), byRows, drafts, levels);
    }

    Replay plus(Replay other) {
        var both = new TreeMap<>(byRows);
        other.byRows.forEach((rows, rounds) -> both.merge(rows, rounds, Double::sum));
        return new Replay(
                tokens + other.tokens, both, drafts + other.drafts, levels + other.levels);
    }

    /// All expected rounds.
    double rounds() {
        return byRows.values().stream().mapToDouble(each -> each).sum();
    }
}
