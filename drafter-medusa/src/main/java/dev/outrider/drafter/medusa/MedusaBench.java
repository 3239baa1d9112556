package dev.outrider.drafter.medusa;

import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.Sample;
import dev.outrider.nn.bench.WarmUp;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Times a whole Medusa draft against a target pass of one row, both over random weights of a given shape. The two take
/// turns, so that a neighbour's load falls on both alike; what the ratio says is their c.
final class MedusaBench {
    private static final double GAIN = 0.8;

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
            if (context >= shape.maxPositions()) {
                throw new IllegalArgumentException(
                        "context %d leaves no position of the shape's %d"
                                .formatted(context, shape.maxPositions()));
            }
        }
    }

    /// Median seconds.
    ///
    /// @param targetSeconds a pass of one row
    /// @param draftSeconds  all heads, their best tokens read back
    record Report(double targetSeconds, double draftSeconds) {
        /// A whole draft over a target pass of one row.
        double ratio() {
            return draftSeconds / targetSeconds;
        }
    }

    /// Runs the measurement.
    ///
    /// @param turnDone called before every turn; what it throws ends the measurement
    static Report run(Request request, Runnable turnDone, Ticker clock) {
        VectorMachine.require();
        PassThreads.use(request.threads());
        var shape = request.shape();
        turnDone.run();
        try (var network =
                        new VectorNetwork(
                                shape, new RandomWeights(shape, 1, GAIN), request.precision());
                var heads = heads(request, network);
                var cache = network.newCache(request.context() + 1);
                var arena = Arena.ofConfined()) {
            fill(network, cache, request.context());
            var hidden = arena.allocate(ValueLayout.JAVA_FLOAT, shape.hiddenSize());
            for (int i = 0; i < shape.hiddenSize(); i++) {
                hidden.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) Math.sin(i));
            }
            var target = new double[request.turns()];
            var draft = new double[request.turns()];
            WarmUp.run(
                    () -> {
                        pass(network, cache, clock);
                        guess(heads, hidden, request.ranks(), clock);
                    },
                    clock);
            for (int turn = 0; turn < request.turns(); turn++) {
                turnDone.run();
                target[turn] = pass(network, cache, clock);
                draft[turn] = guess(heads, hidden, request.ranks(), clock);
            }
            return new Report(Sample.of(target).median(), Sample.of(draft).median());
        }
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
                own ? Optional.empty() : Optional.of(target),
                new int[0]);
    }

    private static void fill(VectorNetwork network, KvCache cache, int context) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        var tokens = IntStream.range(0, context).map(i -> i % 97).toArray();
        network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
        cache.keep(IntStream.range(0, context).boxed().toList());
    }

    /// A pass as a decoder with heads needs it: logits and the last hidden state.
    private static double pass(VectorNetwork network, KvCache cache, Ticker clock) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(MedusaSession.LAST));
        long start = clock.nanos();
        network.forward(List.of(RowBlock.continuing(cache, 5)), outputs).close();
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }

    private static double guess(Heads heads, MemorySegment hidden, int ranks, Ticker clock) {
        long start = clock.nanos();
        var guesses = heads.guess(hidden, ranks, false);
        double seconds = (clock.nanos() - start) / 1e9;
        if (guesses.tokens().length != heads.count()) {
            throw new IllegalStateException("heads are missing");
        }
        return seconds;
    }
}
