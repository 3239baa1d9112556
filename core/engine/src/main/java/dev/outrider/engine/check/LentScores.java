package dev.outrider.engine.check;

import dev.outrider.spi.TargetScores;
import java.lang.foreign.MemorySegment;

/// Scores for a thread that does not own them.
final class LentScores extends LentStates implements TargetScores {
    private final TargetScores scores;
    private final Loan loan;

    LentScores(TargetScores scores, Loan loan) {
        super(scores, loan);
        this.scores = scores;
        this.loan = loan;
    }

    @Override
    public int vocabularySize() {
        return loan.ask(scores::vocabularySize);
    }

    @Override
    public MemorySegment logits(int node) {
        return loan.ask(() -> copy(scores.logits(node)));
    }

    @Override
    public int argmax(int node) {
        return loan.ask(() -> scores.argmax(node));
    }
}
