package dev.outrider.testkit;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetDescription;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.target.Tokenizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A target that leaves everything to another one. Whoever implements it says which, and overrides what is to be
/// different. It owns the other target: closing it closes the other.
///
/// Its sessions are the other target's. Whoever puts something around them overrides [#scoreAll] too, because the other
/// target scores its own sessions only.
public interface ForwardingTarget extends TargetModel {
    /// {@return the target that does the work; always the same}
    TargetModel target();

    @Override
    default TargetDescription description() {
        return target().description();
    }

    @Override
    default Tokenizer tokenizer() {
        return target().tokenizer();
    }

    @Override
    default TargetSession open(SessionRequest request) {
        return target().open(request);
    }

    @Override
    default List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return target().scoreAll(requests);
    }

    @Override
    default <T> Optional<T> capability(Class<T> type) {
        return target().capability(type);
    }

    @Override
    default Set<Class<?>> sessionCapabilities() {
        return target().sessionCapabilities();
    }

    @Override
    default void close() {
        target().close();
    }
}
