package dev.outrider.drafter.self;

import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.common.Ticker;
import dev.outrider.drafter.self.SelfDraftBench.SelfBench.Part;
import dev.outrider.drafting.bench.BenchWatch;
import dev.outrider.drafting.bench.DraftBench;
import dev.outrider.drafting.bench.TimedTarget;
import dev.outrider.nn.bench.Sample;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.PassOutputs.LogitRows;
import dev.outrider.nn.network.PassRow;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.config.Default;
import dev.outrider.spi.config.Doc;
import dev.outrider.spi.target.HiddenState;
import dev.outrider.spi.target.PartialPasses.LayerSubset;
import dev.outrider.spi.tree.TokenTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/// Times `early-exit` and `skip-layers`. Thread-safe.
public final class SelfDraftBench extends NamedService<SelfDraftBench.SelfBenchConfig>
        implements DraftBench<SelfDraftBench.SelfBenchConfig> {
    /// Creates the service.
    public SelfDraftBench() {
        super(
                "self",
                SelfBenchConfig.class,
                "Times drafts by some of the target's own layers, early exit and skipped sub-layers, against whole passes.",
                "All passes run over random weights and take turns within one run. c is a draft step over a pass of one row. Of early exit, the pass that verifies costs less than another of as many rows: most of them went through the first layers.",
                "bench-draft self --shape tinyllama-1.1b --layer 8 --length 4");
    }

    @Override
    public String run(SelfBenchConfig config, BenchWatch watch) {
        var seconds = SelfBench.run(config, watch.turns(config.turns()), watch.clock()::getAsLong);
        double one = seconds.of(Part.ONE_ROW);
        var report = new StringBuilder(config.target().describe(config.turns())).append('\n');
        for (var part : Part.values()) {
            report.append(
                    String.format(
                            Locale.ROOT,
                            "  %-52s %9.3f ms %7.3f%n",
                            words(part, config),
                            1e3 * seconds.of(part),
                            seconds.of(part) / one));
        }
        return report.toString();
    }

    private static String words(Part part, SelfBenchConfig config) {
        int layers = config.target().decoder().layers();
        return switch (part) {
            case ONE_ROW -> "target pass of one row";
            case EXIT_STEP -> "step of the first %d of %d layers".formatted(config.layer(), layers);
            case SKIP_STEP ->
                    "step without %d of %d sub-layers"
                            .formatted(skipped(layers, config.share()), 2 * layers);
            case VERIFY -> "target pass of %d rows".formatted(config.length() + 1);
            case VERIFY_ABOVE ->
                    "the same, %d of them begun in %d layers"
                            .formatted(config.length(), config.layer());
        };
    }

    private static int skipped(int layers, double share) {
        var without = SkipLayersConfig.spread(layers, share);
        return without.attention().size() + without.feedForward().size();
    }

    /// Configuration of `outrider bench-draft self`.
    public record SelfBenchConfig(
            @Doc("What drafts are timed against.") @Default("{}") TimedTarget target,
            @Doc("Layers that guess in early exit.") @Default("2") int layer,
            @Doc("Share of the sub-layers that are skipped otherwise.") @Default("0.45")
                    double share,
            @Doc("Guesses of a chain.") @Default("4") int length,
            @Doc("Times each side is measured.") @Default("20") int turns) {}

    /// Times draft steps by some layers, and the passes that verify them, against whole passes of the
    /// same network with random weights. All alternate, so that other load affects them equally.
    static final class SelfBench {
        private static final double GAIN = 0.8;
        private static final PassOutputs LOGITS = new PassOutputs(LogitRows.ALL, Set.of());
        private static final int MANY_ROWS = 64;

        private final SelfBenchConfig config;
        private final VectorNetwork network;
        private final KvCache cache;
        private final Ticker clock;
        private final LayerSubset first;
        private final LayerSubset without;

        /// The timed parts.
        enum Part {
            /// A pass of one row through all layers.
            ONE_ROW,
            /// A draft step by the first layers.
            EXIT_STEP,
            /// A draft step without some sub-layers.
            SKIP_STEP,
            /// A pass of a chain of guesses and the root through all layers.
            VERIFY,
            /// The same, with all but the last guess already run through the first layers.
            VERIFY_ABOVE
        }

        /// Median seconds of the parts, in their order.
        record Medians(double[] seconds) {
            double of(Part part) {
                return seconds[part.ordinal()];
            }
        }

        private SelfBench(
                SelfBenchConfig config, VectorNetwork network, KvCache cache, Ticker clock) {
            this.config = config;
            this.network = network;
            this.cache = cache;
            this.clock = clock;
            first = new LayerSubset.First(config.layer());
            without = SkipLayersConfig.spread(network.layers(), config.share());
        }

        /// Returns the median seconds of each part.
        ///
        /// @param turnDone called before every turn; an exception ends the measurement
        /// @throws IllegalArgumentException if a number does not fit the shape
        static Medians run(SelfBenchConfig config, Runnable turnDone, Ticker clock) {
            check(config);
            VectorMachine.require();
            var timed = config.target();
            PassThreads.use(timed.threads());
            turnDone.run();
            var shape = timed.decoder();
            try (var network =
                            new VectorNetwork(
                                    shape, new RandomWeights(shape, 1, GAIN), timed.precision());
                    var cache = network.newCache(timed.context() + config.length() + 1)) {
                var bench = new SelfBench(config, network, cache, clock);
                bench.fill(timed.context());
                var seconds = new double[Part.values().length][config.turns()];
                Sample.warmUp(() -> List.of(Part.values()).forEach(bench::time), clock);
                for (int turn = 0; turn < config.turns(); turn++) {
                    turnDone.run();
                    for (var part : Part.values()) {
                        seconds[part.ordinal()][turn] = bench.time(part);
                    }
                }
                return new Medians(
                        Arrays.stream(seconds)
                                .mapToDouble(each -> Sample.of(each).median())
                                .toArray());
            }
        }

        private static void check(SelfBenchConfig config) {
            var shape = config.target().decoder();
            int rows = config.target().context() + config.length() + 1;
            Require.that(
                    config.layer() >= 1 && config.layer() < shape.layers(),
                    "layer is %d, expected 1 to %d",
                    config.layer(),
                    shape.layers() - 1);
            Require.that(
                    config.share() > 0 && config.share() < 1,
                    "share is %s, expected a number between 0 and 1",
                    config.share());
            Require.that(
                    config.length() >= 1
                            && config.turns() >= 1
                            && config.target().context() >= 1
                            && config.target().threads() >= 1
                            && rows <= shape.maxPositions(),
                    "length, turns, threads and context must be positive, and all rows at most %d: %s",
                    shape.maxPositions(),
                    config);
        }

        private void fill(int rows) {
            var nothing = new PassOutputs(LogitRows.NONE, Set.of());
            while (cache.length() < rows) {
                int count = Math.min(MANY_ROWS, rows - cache.length());
                network.forward(List.of(RowBlock.continuing(cache, tokens(count))), nothing)
                        .close();
                cache.keep(IntStream.range(0, count).boxed().toList());
            }
        }

        private static int[] tokens(int count) {
            return IntStream.range(0, count).map(index -> index % 97).toArray();
        }

        /// Returns seconds.
        private double time(Part part) {
            return switch (part) {
                case ONE_ROW -> timed(() -> network.forward(rows(1), LOGITS).close());
                case EXIT_STEP -> timed(() -> network.forward(rows(1), LOGITS, first).close());
                case SKIP_STEP -> timed(() -> network.forward(rows(1), LOGITS, without).close());
                case VERIFY ->
                        timed(() -> network.forward(rows(config.length() + 1), LOGITS).close());
                case VERIFY_ABOVE -> above();
            };
        }

        private double timed(Runnable pass) {
            long start = clock.nanos();
            pass.run();
            double seconds = (clock.nanos() - start) / 1e9;
            cache.dropScratch();
            return seconds;
        }

        private double above() {
            var exit = Set.<HiddenState>of(new HiddenState.AfterLayer(config.layer()));
            try (var drafted =
                    network.forward(
                            rows(config.length()), new PassOutputs(LogitRows.ALL, exit), first)) {
                return timed(() -> {
                    var last = new PassOutputs(LogitRows.NONE, exit);
                    try (var below = network.forward(rows(1), last, first)) {
                        var states = new ArrayList<PassRow>();
                        for (int row = 0; row < config.length(); row++) {
                            states.add(new PassRow(drafted, row));
                        }
                        states.add(new PassRow(below, 0));
                        int[] chain = tokens(config.length() + 1);
                        var all =
                                RowBlock.scratchRows(
                                        cache,
                                        TokenTree.chain(
                                                chain[0], IntStream.of(chain).skip(1).toArray()));
                        network.resume(List.of(all), LOGITS, config.layer(), states).close();
                    }
                });
            }
        }

        private List<RowBlock> rows(int count) {
            return List.of(RowBlock.continuing(cache, tokens(count)));
        }
    }
}
