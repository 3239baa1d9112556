package dev.outrider.engine.check;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftBudget;
import dev.outrider.spi.draft.DraftSession;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;

/// A draft session that forwards every call to another one. An implementation names the other session and overrides the calls that
/// differ. It owns the other session: closing it closes the other.
///
/// Used by one thread at a time, as every session is.
public interface ForwardingDraftSession extends DraftSession {
    /// {@return the other session; always the same}
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
    default void observe(Draft draft, Verdict verdict, TargetScores scores) {
        session().observe(draft, verdict, scores);
    }

    @Override
    default boolean restart(int[] text) {
        return session().restart(text);
    }

    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : session().capability(type);
    }

    @Override
    default void close() {
        session().close();
    }
}
