package dev.outrider.testkit;

import dev.outrider.spi.ForwardingTarget;
import dev.outrider.spi.HiddenStates;
import dev.outrider.spi.SessionRequest;
import dev.outrider.spi.TargetModel;
import dev.outrider.spi.TargetScores;
import dev.outrider.spi.TargetSession;
import dev.outrider.spi.TokenTree;
import dev.outrider.spi.Verdict;
import java.util.List;

/// A target that fails on purpose: it loses the last accepted row at every commit, as a cache cropped one token
/// too short does.
///
/// @param target what computes; stays the caller's to close
public record ForgetfulTarget(TargetModel target) implements ForwardingTarget {
    @Override
    public TargetSession open(SessionRequest request) {
        var session = target.open(request);
        return new TargetSession() {
            @Override
            public int length() {
                return session.length();
            }

            @Override
            public int capacity() {
                return session.capacity();
            }

            @Override
            public HiddenStates prefill(int[] tokens) {
                return session.prefill(tokens);
            }

            @Override
            public TargetScores score(TokenTree tree) {
                return session.score(tree);
            }

            @Override
            public void commit(Verdict verdict) {
                var nodes = verdict.acceptedNodes();
                var kept = nodes.subList(0, Math.max(0, nodes.size() - 1));
                session.commit(new Verdict(kept, verdict.nextToken(), verdict.origin()));
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public void close() {}
}
