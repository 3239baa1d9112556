package dev.outrider.engine.check;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.draft.WorkAhead;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;

/// A draft session that leaves everything to another one. Whoever implements it says which, and overrides what is to be
/// different. It owns the other session: closing it closes the other.
///
/// Used by one thread at a time, as every session is. Whoever changes what a session drafts need not think of work [#ahead]: it changes no draft.
public interface ForwardingDraftSession extends DraftSession {
    /// {@return the session that does the work; always the same}
    DraftSession session();

    @Override
    default void begin(int[] prompt, HiddenStates promptStates) {
        session().begin(prompt, promptStates);
    }

    @Override
    default Draft propose(DraftBudget budget, Randomness randomness) {
        return session().propose(budget, randomness);
    }

    @Override
    default String reason() {
        return session().reason();
    }

    @Override
    default void observe(Draft draft, Verdict verdict, TargetScores scores) {
        session().observe(draft, verdict, scores);
    }

    @Override
    default void took(long nanos) {
        session().took(nanos);
    }

    @Override
    default boolean restart(int[] text) {
        return session().restart(text);
    }

    @Override
    default Optional<WorkAhead> ahead(int branches) {
        return session().ahead(branches);
    }

    @Override
    default void close() {
        session().close();
    }
}
