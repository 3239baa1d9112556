package dev.outrider.experiment.run;

import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import dev.outrider.spi.target.HiddenStates;
import dev.outrider.spi.target.SessionRequest;
import dev.outrider.spi.target.TargetScores;
import dev.outrider.spi.target.TargetSession;
import dev.outrider.spi.tree.TokenTree;
import dev.outrider.testkit.ForwardingTarget;
import dev.outrider.testkit.ForwardingTargetSession;
import dev.outrider.testkit.TableTarget;
import java.util.List;
import java.util.Optional;

/// A table target whose pass takes 1000 ns and 50 for every row beyond the first. Token 5 in a
/// prompt makes it fail, token 4 makes it fail after a while.
///
/// @param reading time of a row of a prompt
public record ClockedTarget(TableTarget target, FakeClock clock, long reading)
        implements ForwardingTarget {
    /// Time of a pass over one row.
    public static final long PASS = 1_000;

    /// Time of each further row.
    public static final long ROW = 50;

    /// A prompt token that makes every session fail.
    public static final int POISON = 5;

    /// A prompt token that makes every session fail after [#LATE].
    public static final int SLOW_POISON = 4;

    /// The time after which [#SLOW_POISON] works, in nanoseconds.
    public static final long LATE = 300_000;

    /// A target that reads prompts in no time.
    public ClockedTarget(TableTarget target, FakeClock clock) {
        this(target, clock, 0);
    }

    @Override
    public TargetSession open(SessionRequest request) {
        return new Session(target.open(request), clock, reading);
    }

    @Override
    public List<TargetScores> scoreAll(List<ScoreRequest> requests) {
        return requests.stream().map(request -> request.session().score(request.tree())).toList();
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return Optional.empty();
    }

    @Override
    public void close() {}

    private record Session(TargetSession session, FakeClock clock, long reading)
            implements ForwardingTargetSession {
        @Override
        public HiddenStates prefill(int[] tokens) {
            for (int token : tokens) {
                if (token == POISON || token == SLOW_POISON && clock.nanos() > LATE) {
                    throw new OutriderException(
                            ErrorCode.DATA_INVALID, "the prompt is poisoned", "Take another.");
                }
            }
            clock.advance(reading * tokens.length);
            return session.prefill(tokens);
        }

        @Override
        public TargetScores score(TokenTree tree) {
            clock.advance(PASS + ROW * tree.draftedNodes());
            return session.score(tree);
        }
    }
}
