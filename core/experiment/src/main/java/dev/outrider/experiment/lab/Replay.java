package dev.outrider.experiment.lab;

import dev.outrider.engine.prediction.RoundChain;

/// The expected rounds of a question along a text.
///
/// @param rounds expected
/// @param nanos  that they would take, prefill left out
record Replay(double rounds, double nanos) {
    static Replay of(RecordedText text, Question question, Prices prices) {
        var chain = new RoundChain(text.tokens());
        double nanos = 0;
        for (var draft : text.drafts()) {
            double begins = chain.next(question.kept(draft));
            int depth = Math.min(question.length(), draft.depth());
            nanos += begins * prices.round(question.rows(draft), depth);
        }
        nanos += chain.next(1) * prices.round(1, 0);
        return new Replay(chain.rounds(), nanos);
    }
}
