package dev.outrider.testkit;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetModel;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.Verdict;
import java.util.List;

/// A target with a planted fault: it loses the last accepted row at every commit, like a cache that
/// is cropped one token too short.
///
/// @param target computes the scores; the caller closes it
public record ForgetfulTarget(TargetModel target) implements ForwardingTarget {
    @Override
    public TargetSession open(SessionRequest request) {
        return new Forgetful(target.open(request));
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public void close() {}

    private record Forgetful(TargetSession session) implements ForwardingTargetSession {
        @Override
        public void commit(Verdict verdict) {
            var nodes = verdict.acceptedNodes();
            var kept = nodes.subList(0, Math.max(0, nodes.size() - 1));
            session.commit(new Verdict(kept, verdict.nextToken(), verdict.origin()));
        }
    }
}
