package dev.outrider.testkit;

import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A table target whose open sessions are counted and whose scores are kept.
///
/// @param open       number of open sessions
/// @param mostAtOnce largest number of them so far
/// @param scores     of all passes, in order
record WatchedTarget(
        TableTarget target, AtomicInteger open, AtomicInteger mostAtOnce, List<TargetScores> scores)
        implements ForwardingTarget {
    WatchedTarget(TableTarget target) {
        this(target, new AtomicInteger(), new AtomicInteger(), new ArrayList<>());
    }

    @Override
    public TargetSession open(SessionRequest request) {
        var session = new Session(target.open(request), open, scores);
        mostAtOnce.accumulateAndGet(open.incrementAndGet(), Math::max);
        return session;
    }

    private record Session(TargetSession session, AtomicInteger open, List<TargetScores> scores)
            implements ForwardingTargetSession {
        @Override
        public TargetScores score(TokenTree tree) {
            scores.add(session.score(tree));
            return scores.getLast();
        }

        @Override
        public void close() {
            session.close();
            open.decrementAndGet();
        }
    }
}
