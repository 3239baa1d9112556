package dev.outrider.testkit;

import dev.outrider.spi.SessionRequest;
import dev.outrider.spi.TargetDescription;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TargetSession;
import dev.outrider.spi.Tokenizer;
import java.util.List;
import java.util.Optional;

/// A target that leaves everything to another one; subclasses change a part. Closing it leaves the other open.
public class ForwardingTarget implements TargetModel {
    private final TargetModel target;

    /// Leaves everything to a target.
    ///
    /// @param target what does the work; stays the caller's to close
    public ForwardingTarget(TargetModel target) {
        this.target = target;
    }

    @Override
    public TargetDescription description() {
        return target.description();
    }

    @Override
    public Tokenizer tokenizer() {
        return target.tokenizer();
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return target.open(request);
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return target.scoreAll(requests);
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return target.capability(type);
    }

    @Override
    public void close() {}
}
