package dev.outrider.drafter.medusa;

import dev.outrider.common.Ticker;
import dev.outrider.drafting.bench.TimedTarget;
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
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Times a whole draft of heads against a target pass of one row, both over random weights of a given shape. The two take turns, so
/// that a neighbour's load falls on both alike; what the ratio says is their c.
public final class HeadBench {
    private static final double GAIN = 0.8;

    private HeadBench() {}

    /// What drafts are timed against.
    ///
    /// @param shape     the target's shape
    /// @param precision how all matrices are kept
    /// @param threads   threads of one operation
    /// @param context   committed rows in the target's cache
    public record Target(DecoderConfig shape, Precision precision, int threads, int context) {
        public Target {
            if (threads < 1 || context < 1) {
                throw new IllegalArgumentException(
                        "threads %d and context %d must be positive".formatted(threads, context));
            }
            if (context >= shape.maxPositions()) {
                throw new IllegalArgumentException(
                        "context %d leaves no position of the shape's %d"
                                .formatted(context, shape.maxPositions()));
            }
        }

        /// As a command line says.
        public static Target of(TimedTarget target) {
            return new Target(
                    target.decoder(), target.precision(), target.threads(), target.context());
        }
    }

    /// Heads over random weights.
    public interface Heads extends AutoCloseable {
        /// Runs a whole draft, and reads its tokens.
        ///
        /// @param hidden the target's hidden state, `[d]`
        void draft(float[] hidden);

        @Override
        void close();
    }

    /// Median seconds.
    ///
    /// @param targetSeconds a pass of one row
    /// @param draftSeconds  a whole draft, its tokens read
    public record Report(double targetSeconds, double draftSeconds) {
        /// A whole draft over a target pass of one row.
        public double ratio() {
            return draftSeconds / targetSeconds;
        }
    }

    /// Runs the measurement.
    ///
    /// @param heads    makes what is timed, which may borrow of the target
    /// @param turns    times each is measured
    /// @param turnDone called before every turn; what it throws ends the measurement
    public static Report run(
            Target timed,
            Function<VectorNetwork, Heads> heads,
            int turns,
            Runnable turnDone,
            Ticker clock) {
        VectorMachine.require();
        PassThreads.use(timed.threads());
        var shape = timed.shape();
        turnDone.run();
        try (var network =
                        new VectorNetwork(
                                shape, new RandomWeights(shape, 1, GAIN), timed.precision());
                var drafting = heads.apply(network);
                var cache = network.newCache(timed.context() + 1)) {
            fill(network, cache, timed.context());
            var hidden = new float[shape.hiddenSize()];
            for (int i = 0; i < hidden.length; i++) {
                hidden[i] = (float) Math.sin(i);
            }
            var target = new double[turns];
            var draft = new double[turns];
            WarmUp.run(
                    () -> {
                        pass(network, cache, clock);
                        draft(drafting, hidden, clock);
                    },
                    clock);
            for (int turn = 0; turn < turns; turn++) {
                turnDone.run();
                target[turn] = pass(network, cache, clock);
                draft[turn] = draft(drafting, hidden, clock);
            }
            return new Report(Sample.of(target).median(), Sample.of(draft).median());
        }
    }

    private static void fill(VectorNetwork network, KvCache cache, int context) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        var tokens = IntStream.range(0, context).map(i -> i % 97).toArray();
        network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
        cache.keep(IntStream.range(0, context).boxed().toList());
    }

    /// A pass as a decoder with heads needs it: logits and the last hidden state.
    private static double pass(VectorNetwork network, KvCache cache, Ticker clock) {
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(LastHidden.STATE));
        long start = clock.nanos();
        network.forward(List.of(RowBlock.continuing(cache, 5)), outputs).close();
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }

    private static double draft(Heads heads, float[] hidden, Ticker clock) {
        long start = clock.nanos();
        heads.draft(hidden);
        return (clock.nanos() - start) / 1e9;
    }
}
