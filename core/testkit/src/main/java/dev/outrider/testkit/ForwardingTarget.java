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

/// A target that forwards all calls to another one. Implementations override what is different. It
/// owns the other target: closing it closes the other.
///
/// Its sessions are the other target's. An implementation that wraps them must also override
/// [#scoreAll], because the other target scores its own sessions only.
public interface ForwardingTarget extends TargetModel {
    /// {@return the other target; always the same}
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
