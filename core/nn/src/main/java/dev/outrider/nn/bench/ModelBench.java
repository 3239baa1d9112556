package dev.outrider.nn.bench;

import dev.outrider.common.Require;
import dev.outrider.common.Ticker;
import dev.outrider.nn.network.BlockWeights;
import dev.outrider.nn.network.CachePrecision;
import dev.outrider.nn.network.DecoderConfig;
import dev.outrider.nn.network.DecoderMemory;
import dev.outrider.nn.network.DecoderNetwork;
import dev.outrider.nn.network.Experts;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.NativeMemory;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.Precision;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.network.RowPrecision;
import dev.outrider.nn.network.Weight;
import dev.outrider.nn.network.WeightSource;
import dev.outrider.nn.target.NetworkTarget;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.Probes;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.error.ErrorCode;
import dev.outrider.spi.error.OutriderException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;

/// Times passes of 1, 2, 4, … rows over random weights of a given shape, or a checkpoint's, and compares them with the times the
/// machine needs to read the same bytes and to do as many multiplications and additions, measured in the same run.
///
/// The bound of a pass counts every weight except the embedding once, the head included, of the experts only those that were
/// activated, and the keys and values of all rows that it sees. Passes and readings of the memory take turns, so that other load of
/// the machine hits all of them equally.
public final class ModelBench {
    private static final double GAIN = 0.8;

    private ModelBench() {}

    /// The settings of a benchmark.
    ///
    /// @param name    name of the shape in the report
    /// @param shape   the decoder's shape
    /// @param precision number format of matrices
    /// @param rowPrecision number format of the rows that matrices of integers multiply
    /// @param cachePrecision number format of keys and values
    /// @param threads threads of one operation
    /// @param context committed rows in the cache; with several sequences, those of the last one, and the others have fewer in
    ///                even steps
    /// @param sequences number of sequences in a pass, each with the same number of rows
    /// @param rows    numbers of rows of a sequence per pass
    /// @param prefill tokens of a prompt that every turn reads into an empty cache; 0 for none
    /// @param turns   number of turns of each number of rows
    /// @param repeats passes in a turn
    public record Request(
            String name,
            DecoderConfig shape,
            Precision precision,
            RowPrecision rowPrecision,
            CachePrecision cachePrecision,
            int threads,
            int context,
            int sequences,
            List<Integer> rows,
            int prefill,
            int turns,
            int repeats) {
        public Request {
            rows = List.copyOf(rows);
            Require.that(
                    !rows.isEmpty() && rows.stream().allMatch(count -> count >= 1),
                    "rows %s are not positive",
                    rows);
            Require.atLeast("threads", threads, 1);
            Require.atLeast("context", context, 1);
            Require.atLeast("sequences", sequences, 1);
            Require.atLeast("prefill", prefill, 0);
            Require.atLeast("turns", turns, 1);
            Require.atLeast("repeats", repeats, 1);
            long longest = (long) context + Collections.max(rows);
            Require.that(
                    longest <= Integer.MAX_VALUE,
                    "context %d and %d rows are more than %d positions",
                    context,
                    Collections.max(rows),
                    Integer.MAX_VALUE);
            // Times do not depend on the number of positions that a shape was trained for.
            int most = Math.max(prefill, (int) longest);
            shape = shape.stretchedTo(Math.max(most, shape.maxPositions()));
        }

        /// Returns the number of rows in the cache of a sequence.
        int context(int sequence) {
            return Math.max(1, (int) ((long) context * (sequence + 1) / sequences));
        }

        /// Returns the bytes of a number in the caches.
        double cacheNumberBytes() {
            return cachePrecision.bytes(shape.headSize());
        }

        /// Returns the maximum rows of a sequence in a pass.
        int mostRows() {
            return Collections.max(rows);
        }

        /// Returns the number of rows that a pass sees in all caches, including its own.
        long cachedRows(int rows) {
            return IntStream.range(0, sequences)
                    .mapToLong(sequence -> (long) context(sequence) + rows)
                    .sum();
        }
    }

    /// Receives the progress of a run.
    @FunctionalInterface
    public interface Progress {
        /// @param done  steps done
        /// @param total steps of the run
        /// @param what  name of the step
        void at(int done, int total, String what);
    }

    /// Runs the measurement over random weights.
    ///
    /// @param clock times passes
    public static BenchReport run(Request request, Progress progress, Ticker clock) {
        return run(request, new RandomWeights(request.shape(), 1, GAIN), progress, clock);
    }

    /// Runs the measurement.
    ///
    /// @param weights of the shape; matrices of [BlockWeights] stay in the format of their file
    public static BenchReport run(
            Request request, WeightSource weights, Progress progress, Ticker clock) {
        VectorMachine.require();
        PassThreads.use(request.threads());
        BenchMemory.require(request, memory(request, weights));
        progress.at(0, request.turns() + 1, "making weights");
        try (var network =
                        new VectorNetwork(
                                request.shape(),
                                weights,
                                request.precision(),
                                request.rowPrecision());
                var caches = new BenchCaches(network, request);
                var probes = new Probes()) {
            for (int rows : request.rows()) {
                Sample.warmUp(() -> time(network, caches, rows, clock).seconds(), clock);
            }
            var readings = new ArrayList<Double>();
            var multiplications = new ArrayList<Double>();
            var times = request.rows().stream().map(_ -> new ArrayList<Pass>()).toList();
            var prompts = new ArrayList<Double>();
            for (int turn = 0; turn < request.turns(); turn++) {
                progress.at(turn + 1, request.turns() + 1, "measuring");
                for (int index = 0; index < request.rows().size(); index++) {
                    readings.add(probes.bytesPerSecond(clock));
                    multiplications.add(probes.operationsPerSecond(clock));
                    int rows = request.rows().get(index);
                    for (int repeat = 0; repeat < request.repeats(); repeat++) {
                        times.get(index).add(time(network, caches, rows, clock));
                    }
                }
                if (request.prefill() > 0) {
                    prompts.add(caches.prefill(network, request.prefill(), clock));
                }
            }
            progress.at(request.turns() + 1, request.turns() + 1, "done");
            return report(request, network, weights, readings, multiplications, times, prompts);
        }
    }

    /// A measured pass.
    ///
    /// @param woken different experts that its rows activated, the mean over layers that have any
    private record Pass(double seconds, OptionalDouble woken) {}

    /// Returns the bytes that a pass has to read at least, if it activates all experts.
    ///
    /// @param bits       of a weight
    /// @param cacheBytes of a number in the cache
    /// @param cachedRows rows that it sees in all caches, its own included
    public static long bytesPerPass(
            DecoderConfig shape, double bits, double cacheBytes, long cachedRows) {
        int experts = shape.form().feedForward().experts().map(Experts::count).orElse(0);
        return bytesPerPass(shape, bits, cacheBytes, cachedRows, experts);
    }

    /// @param woken experts of a layer that it reads
    private static long bytesPerPass(
            DecoderConfig shape, double bits, double cacheBytes, long cachedRows, double woken) {
        return (long) (weights(shape, woken) * bits / Byte.SIZE)
                + cacheBytes(shape, cacheBytes) * cachedRows;
    }

    /// Returns the bytes of a row in a cache.
    ///
    /// @param bytes of a number
    static long cacheBytes(DecoderConfig shape, double bytes) {
        return Math.round(2.0 * shape.layers() * shape.keyValueHeads() * shape.headSize() * bytes);
    }

    /// Returns the weights that are multiplied: all except the embedding and the experts that are not activated, the head included.
    ///
    /// @param woken experts of a layer
    private static double weights(DecoderConfig shape, double woken) {
        long head = Weight.HEAD.elements(shape, 0);
        double asleep =
                shape.form()
                        .feedForward()
                        .experts()
                        .map(experts ->
                                (experts.count() - woken)
                                        * experts.sparseLayers(shape.layers())
                                        * 3.0
                                        * Weight.EXPERT_GATE.elements(shape, 0))
                        .orElse(0.0);
        return Weight.parameters(shape)
                - asleep
                - Weight.EMBEDDING.elements(shape, 0)
                - (Weight.HEAD.present(shape) ? head : 0)
                + head;
    }

    private static DecoderMemory memory(Request request, WeightSource weights) {
        return weights instanceof BlockWeights file
                ? DecoderMemory.of(request.shape(), file, VectorNetwork::bits)
                : DecoderMemory.of(request.shape(), weights, request.precision());
    }

    /// Bits of a weight that multiplies, the mean over a file's formats.
    private static double bits(Request request, WeightSource weights) {
        if (!(weights instanceof BlockWeights file)) {
            return request.precision().bits();
        }
        var shape = request.shape();
        double table =
                Weight.HEAD.present(shape)
                        ? Weight.EMBEDDING.elements(shape, 0)
                                * file.stored(Weight.EMBEDDING, 0, Precision.F32)
                                        .map(VectorNetwork::bits)
                                        .orElseThrow()
                        : 0;
        int experts = shape.form().feedForward().experts().map(Experts::count).orElse(0);
        return (Byte.SIZE * (double) memory(request, file).weights() - table)
                / weights(shape, experts);
    }

    private static BenchReport report(
            Request request,
            VectorNetwork network,
            WeightSource weights,
            List<Double> readings,
            List<Double> multiplications,
            List<ArrayList<Pass>> times,
            List<Double> prompts) {
        double bandwidth = best(readings);
        double speed = best(multiplications);
        double bits = bits(request, weights);
        var lines = new ArrayList<BenchReport.Line>();
        for (int index = 0; index < request.rows().size(); index++) {
            int rows = request.rows().get(index);
            var passes = times.get(index);
            var sample = Sample.of(passes.stream().mapToDouble(Pass::seconds).toArray());
            var woken = passes.getFirst().woken();
            long bytes =
                    bytesPerPass(
                            request.shape(),
                            bits,
                            request.cacheNumberBytes(),
                            request.cachedRows(rows),
                            woken.orElse(chosen(request.shape())));
            lines.add(
                    new BenchReport.Line(
                            rows,
                            sample.best(),
                            sample.median(),
                            bytes,
                            bytes / bandwidth,
                            multipliesIntegers(request, network)
                                    ? 0
                                    : multiplySeconds(request, rows, speed),
                            woken));
        }
        return new BenchReport(
                request.name(),
                weights.formats(request.precision()),
                request.threads(),
                request.context(),
                request.sequences(),
                request.turns() * request.repeats(),
                Weight.parameters(request.shape()),
                new BenchReport.Machine(bandwidth, sample(readings).median(), speed),
                words(request, network),
                lines,
                Optional.of(prompts)
                        .filter(read -> !read.isEmpty())
                        .map(ModelBench::sample)
                        .map(read ->
                                new BenchReport.Prefill(
                                        request.prefill(), read.best(), read.median())));
    }

    private static Sample sample(List<Double> values) {
        return Sample.of(values.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static double multiplySeconds(Request request, int rows, double speed) {
        return 2.0
                * rows
                * request.sequences()
                * weights(request.shape(), chosen(request.shape()))
                / speed;
    }

    /// Returns the experts of a layer that a row activates.
    private static int chosen(DecoderConfig shape) {
        return shape.form().feedForward().experts().map(Experts::chosen).orElse(0);
    }

    /// Returns the name of the engine that runs the model.
    private static String words(Request request, VectorNetwork network) {
        var what =
                "Java's vector code, %s, floats by %s%s"
                        .formatted(
                                VectorMachine.name(), VectorMachine.floats(), network.cacheLabel());
        var rows = network.roundsRows() ? ", int8 rows" : "";
        return multipliesIntegers(request, network)
                ? what + rows + ", integers by " + VectorMachine.integers()
                : what;
    }

    /// Returns whether integers are multiplied: their speed is not measured.
    private static boolean multipliesIntegers(Request request, VectorNetwork network) {
        return request.precision() == Precision.W8A8 || network.roundsRows();
    }

    private static double best(List<Double> readings) {
        return readings.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private static Pass time(DecoderNetwork network, BenchCaches caches, int rows, Ticker clock) {
        var blocks = caches.blocks(rows);
        long start = clock.nanos();
        var result = network.forward(blocks, PassOutputs.allLogits());
        var woken = result.activeExperts();
        result.close();
        double seconds = (clock.nanos() - start) / 1e9;
        caches.dropScratch();
        return new Pass(seconds, woken);
    }

    /// The sequences of a benchmark, each with rows in its cache.
    static final class BenchCaches implements AutoCloseable {
        private final int vocabulary;
        private final List<KvCache> caches = new ArrayList<>();

        /// Fills the caches.
        BenchCaches(VectorNetwork network, ModelBench.Request request) {
            network.keepCachesIn(request.cachePrecision());
            vocabulary = request.shape().vocabularySize();
            try {
                for (int sequence = 0; sequence < request.sequences(); sequence++) {
                    int context = request.context(sequence);
                    var cache = network.newCache(context + request.mostRows());
                    caches.add(cache);
                    fill(network, cache, context);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        private void fill(DecoderNetwork network, KvCache cache, int context) {
            var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
            while (cache.length() < context) {
                int count = Math.min(NetworkTarget.PREFILL_ROWS, context - cache.length());
                network.forward(List.of(RowBlock.continuing(cache, tokens(count))), nothing)
                        .close();
                cache.keep(IntStream.range(0, count).boxed().toList());
            }
        }

        /// Returns the seconds of reading a prompt into a new cache.
        double prefill(VectorNetwork network, int prompt, Ticker clock) {
            try (var cache = network.newCache(prompt)) {
                long start = clock.nanos();
                fill(network, cache, prompt);
                return (clock.nanos() - start) / 1e9;
            }
        }

        /// Returns a pass of some rows of each sequence.
        List<RowBlock> blocks(int rows) {
            return caches.stream().map(cache -> RowBlock.continuing(cache, tokens(rows))).toList();
        }

        /// Drops the rows of a pass.
        void dropScratch() {
            caches.forEach(KvCache::dropScratch);
        }

        private int[] tokens(int count) {
            return IntStream.range(0, count).map(index -> (index * 131 + 7) % vocabulary).toArray();
        }

        @Override
        public void close() {
            caches.forEach(KvCache::close);
        }
    }

    /// Computes the memory that a benchmark needs before any of it is allocated.
    static final class BenchMemory {
        private BenchMemory() {}

        /// Checks the demand.
        ///
        /// @throws OutriderException `OUT_OF_MEMORY`
        static void require(ModelBench.Request request, DecoderMemory demand) {
            double caches =
                    (double) ModelBench.cacheBytes(request.shape(), request.cacheNumberBytes())
                            * (request.cachedRows(request.mostRows()) + request.prefill());
            double bytes = demand.weights() + caches;
            long available = NativeMemory.availableBytes();
            if (bytes > available) {
                throw problem(request, "%s of memory".formatted(gibibytes(bytes)), available);
            }
            long heap = Runtime.getRuntime().maxMemory();
            if (demand.heap() > heap) {
                throw problem(
                        request, "%s of the Java heap".formatted(gibibytes(demand.heap())), heap);
            }
        }

        private static OutriderException problem(
                ModelBench.Request request, String what, long available) {
            return ErrorCode.OUT_OF_MEMORY.error(
                    "shape '%s' with %d sequences of up to %d positions takes %s, but %s are available."
                            .formatted(
                                    request.name(),
                                    request.sequences(),
                                    request.context() + request.mostRows(),
                                    what,
                                    gibibytes(available)),
                    "Lower --context, --sequences, --rows or --prefill, or use a smaller shape or a precision with fewer bits.");
        }

        private static String gibibytes(double bytes) {
            return "%.1f GiB".formatted(bytes / (1L << 30));
        }
    }
}
