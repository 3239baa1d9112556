package dev.outrider.drafter.medusa;

import dev.outrider.common.Ticker;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.vector.VectorNetwork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/// Times a whole Medusa draft.
///
/// @see HeadBench
final class MedusaBench {
    private MedusaBench() {}

    /// What to measure.
    ///
    /// @param shape      the target's shape
    /// @param precision  how all matrices are kept
    /// @param threads    threads of one operation
    /// @param context    committed rows in the target's cache
    /// @param heads      number of heads
    /// @param projection whose vocabulary projection they use
    /// @param ranks      tokens read back of each head
    /// @param turns      times each is measured
    record Request(
            DecoderConfig shape,
            Precision precision,
            int threads,
            int context,
            int heads,
            HeadPlan.Projection projection,
            int ranks,
            int turns) {
        Request {
            if (threads < 1 || context < 1 || heads < 1 || ranks < 1 || turns < 1) {
                throw new IllegalArgumentException(
                        "threads %d, context %d, heads %d, ranks %d and turns %d must be positive"
                                .formatted(threads, context, heads, ranks, turns));
            }
        }

        HeadBench.Target target() {
            return new HeadBench.Target(shape, precision, threads, context);
        }
    }

    /// Runs the measurement.
    ///
    /// @param turnDone called before every turn; what it throws ends the measurement
    static HeadBench.Report run(Request request, Runnable turnDone, Ticker clock) {
        return HeadBench.run(
                request.target(),
                network -> new Guessing(heads(request, network), request),
                request.turns(),
                turnDone,
                clock);
    }

    private static Heads heads(Request request, VectorNetwork target) {
        boolean own = request.projection() == HeadPlan.Projection.OWN;
        return new VectorHeads(
                new RandomHeads(
                        request.shape(),
                        request.heads(),
                        own ? Projection.PER_HEAD : Projection.TARGET),
                request.heads(),
                request.precision(),
                own ? Optional.empty() : Optional.of(new TargetWeights.Own(target)),
                new int[0]);
    }

    /// All heads, their best tokens read.
    private static final class Guessing implements HeadBench.Heads {
        private final Heads heads;
        private final int ranks;
        private final Arena arena = Arena.ofConfined();
        private final MemorySegment state;

        Guessing(Heads heads, Request request) {
            this.heads = heads;
            ranks = request.ranks();
            state = arena.allocate(ValueLayout.JAVA_FLOAT, request.shape().hiddenSize());
        }

        @Override
        public void draft(float[] hidden) {
            MemorySegment.copy(hidden, 0, state, ValueLayout.JAVA_FLOAT, 0, hidden.length);
            if (heads.guess(state, ranks, false).tokens().length != heads.count()) {
                throw new IllegalStateException("heads are missing");
            }
        }

        @Override
        public void close() {
            heads.close();
            arena.close();
        }
    }
}
