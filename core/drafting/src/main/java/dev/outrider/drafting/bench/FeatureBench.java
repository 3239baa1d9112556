package dev.outrider.drafting.bench;

import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.ModelBench;
import dev.outrider.nn.bench.Sample;
import dev.outrider.nn.bench.WarmUp;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorFeatureNetwork;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.target.HiddenState;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/// Times drafts of layers that read features against target passes of one row, both over random weights of a given shape. The two take
/// turns, so that a neighbour's load falls on both alike. Of a chain of steps a step's share of a pass is c.
final class FeatureBench {
    private static final double GAIN = 0.8;

    private FeatureBench() {}

    /// What to measure.
    ///
    /// @param shape   the target's shape
    /// @param layers  of the draft, of the target's shape
    /// @param fusion  how they make their input
    /// @param precision how all matrices are kept
    /// @param threads threads of one operation
    /// @param context committed rows in both caches
    /// @param length  steps of a chain
    /// @param turns   times each is measured
    record Request(
            DecoderConfig shape,
            int layers,
            FusionConfig fusion,
            Precision precision,
            int threads,
            int context,
            int length,
            int turns) {
        Request {
            if (layers < 1 || threads < 1 || context < 1 || length < 1 || turns < 1) {
                throw new IllegalArgumentException(
                        "layers %d, threads %d, context %d, length %d and turns %d must be positive"
                                .formatted(layers, threads, context, length, turns));
            }
            if (context + length > shape.maxPositions()) {
                throw new IllegalArgumentException(
                        "context and length make %d positions, the shape has %d"
                                .formatted(context + length, shape.maxPositions()));
            }
        }

        DecoderConfig layer() {
            return shape.toBuilder().layers(layers).tiedHead(false).build().fused(fusion);
        }
    }

    /// Median seconds, and the bytes each side has to read at least.
    ///
    /// @param targetSeconds a pass of one row
    /// @param stepSeconds   one step of the chain: the chain's time over its length
    /// @param targetBytes   weights a pass reads
    /// @param stepBytes     weights a step reads, the head included, whoever owns it
    record Report(double targetSeconds, double stepSeconds, long targetBytes, long stepBytes) {
        /// c: a step over a pass.
        double ratio() {
            return stepSeconds / targetSeconds;
        }

        /// What c would be if both ran at the speed of the memory.
        double bound() {
            return (double) stepBytes / targetBytes;
        }
    }

    /// A draft whose time is taken.
    @FunctionalInterface
    interface TimedDraft {
        /// @param cache committed rows alone, before and after
        /// @return seconds
        double seconds(FeatureNetwork draft, KvCache cache, Ticker clock);
    }

    /// Measures a step of a chain.
    ///
    /// @param turnDone called before every turn; what it throws ends the measurement
    static Report run(Request request, Runnable turnDone, Ticker clock) {
        return run(
                request,
                (draft, cache, ticker) -> chain(request, draft, cache, ticker) / request.length(),
                turnDone,
                clock);
    }

    /// Measures a draft.
    ///
    /// @param timed    needs at most [Request#length] rows more than the context
    /// @param turnDone called before every turn; what it throws ends the measurement
    static Report run(Request request, TimedDraft timed, Runnable turnDone, Ticker clock) {
        VectorMachine.require();
        PassThreads.use(request.threads());
        turnDone.run();
        var layer = request.layer();
        try (var target =
                        new VectorNetwork(
                                request.shape(),
                                new RandomWeights(request.shape(), 1, GAIN),
                                request.precision());
                var draft =
                        new VectorFeatureNetwork(
                                layer,
                                new RandomWeights(layer, 2, GAIN),
                                request.precision(),
                                Optional.of(target));
                var cache = target.newCache(request.context() + 1);
                var draftCache = draft.newCache(request.context() + request.length())) {
            fill(request, target, cache, draft, draftCache);
            var passes = new double[request.turns()];
            var drafts = new double[request.turns()];
            WarmUp.run(
                    () -> {
                        pass(target, cache, clock);
                        timed.seconds(draft, draftCache, clock);
                    },
                    clock);
            for (int turn = 0; turn < request.turns(); turn++) {
                turnDone.run();
                passes[turn] = pass(target, cache, clock);
                drafts[turn] = timed.seconds(draft, draftCache, clock);
            }
            return new Report(
                    Sample.of(passes).median(),
                    Sample.of(drafts).median(),
                    ModelBench.bytesPerPass(
                            request.shape(), request.precision().bits(), Float.BYTES, 0),
                    stepBytes(request, layer));
        }
    }

    private static long stepBytes(Request request, DecoderConfig layer) {
        long weights = Weight.parameters(layer);
        if (Weight.EMBEDDING.present(layer)) {
            weights -= Weight.EMBEDDING.elements(layer, 0);
        }
        if (!Weight.HEAD.present(layer)) {
            weights += Weight.HEAD.elements(layer, 0);
        }
        if (Weight.REDUCTION.present(layer)) {
            // Recycled states are not reduced.
            weights -= Weight.REDUCTION.elements(layer, 0);
        }
        return (long) (weights * request.precision().bits() / Byte.SIZE);
    }

    private static void fill(
            Request request,
            VectorNetwork target,
            KvCache cache,
            FeatureNetwork draft,
            KvCache draftCache) {
        int rows = request.context();
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        int[] tokens = IntStream.range(0, rows).map(i -> i % 97).toArray();
        target.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
        cache.keep(IntStream.range(0, rows).boxed().toList());
        try (var arena = Arena.ofConfined()) {
            int width = request.fusion().capturedWidth();
            var memory = arena.allocate(ValueLayout.JAVA_FLOAT, (long) rows * width);
            for (long i = 0; i < (long) rows * width; i++) {
                memory.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) Math.sin(i));
            }
            var features = new FeatureRows(memory, rows, FeatureRows.Source.TARGET);
            draft.forward(RowBlock.continuing(draftCache, tokens), features, nothing).close();
            draftCache.keep(IntStream.range(0, rows).boxed().toList());
        }
    }

    /// A pass as a drafter needs it: logits and a hidden state.
    private static double pass(VectorNetwork target, KvCache cache, Ticker clock) {
        var outputs =
                new PassOutputs(
                        PassOutputs.LogitRows.ALL, Set.of(new HiddenState.AfterFinalNorm()));
        long start = clock.nanos();
        target.forward(List.of(RowBlock.continuing(cache, 5)), outputs).close();
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }

    /// A chain, every step reading the state before it.
    private static double chain(
            Request request, FeatureNetwork draft, KvCache cache, Ticker clock) {
        var state = new HiddenState.AfterLayer(1);
        var outputs = new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(state));
        var recycled = new float[request.shape().hiddenSize()];
        Arrays.fill(recycled, 0.1f);
        long start = clock.nanos();
        try (var arena = Arena.ofConfined()) {
            var memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, recycled);
            var features = new FeatureRows(memory, 1, FeatureRows.Source.RECYCLED);
            for (int step = 0; step < request.length(); step++) {
                try (var result =
                        draft.forward(RowBlock.continuing(cache, 7 + step), features, outputs)) {
                    memory.copyFrom(result.hidden(state, 0));
                }
            }
        }
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }
}
