package dev.outrider.drafter.lookup;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftRequest;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.sampling.SamplingPolicy;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.List;

/// One sequence of a drafter by ranks; the test gives the target's tokens.
public final class ScriptedRounds implements AutoCloseable {
    private static final DraftBudget BUDGET = new DraftBudget(16, 4);

    private final int vocabulary;
    private final DraftSession session;

    public ScriptedRounds(Drafter drafter, int vocabulary, int... prompt) {
        this.vocabulary = vocabulary;
        this.session = drafter.open(new DraftRequest(1000, SamplingPolicy.argmax()));
        session.begin(prompt, new ScriptedScores(List.of()));
    }

    /// Returns the current draft.
    public TokenTree tree() {
        return draft().tree();
    }

    /// Runs a round in which nothing is accepted.
    ///
    /// @param next the next token
    /// @param best the target's best tokens at each node of the draft, the root first
    public void rejected(int next, int[]... best) {
        observed(new Verdict(List.of(), next, Verdict.Origin.CORRECTION), best);
    }

    /// Runs a round with a verdict.
    ///
    /// @param best the target's best tokens at each node of the draft, the root first
    public void observed(Verdict verdict, int[]... best) {
        var draft = draft();
        if (draft.tree().size() != best.length) {
            throw new AssertionError(
                    "%d rows were written down for %s".formatted(best.length, draft.tree()));
        }
        session.observe(draft, verdict, ScriptedScores.of(vocabulary, best));
    }

    @Override
    public void close() {
        session.close();
    }

    private Draft draft() {
        return session.propose(BUDGET, new NoRandomness());
    }
}
