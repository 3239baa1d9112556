package dev.outrider.testkit;

import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.spi.tree.Verdict;
import java.util.Optional;

/// A target's session that forwards all calls to another one. Implementations override what is
/// different. It owns the other session: closing it closes the other.
///
/// Confined to one thread, as every session is.
public interface ForwardingTargetSession extends TargetSession {
    /// {@return the other session; always the same}
    TargetSession session();

    @Override
    default int length() {
        return session().length();
    }

    @Override
    default int capacity() {
        return session().capacity();
    }

    @Override
    default HiddenStates prefill(int[] tokens) {
        return session().prefill(tokens);
    }

    @Override
    default TargetScores score(TokenTree tree) {
        return session().score(tree);
    }

    @Override
    default void commit(Verdict verdict) {
        session().commit(verdict);
    }

    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return session().capability(type);
    }

    @Override
    default void close() {
        session().close();
    }
}
