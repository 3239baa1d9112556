package dev.outrider.drafting.bench;

import dev.outrider.common.NamedService;
import dev.outrider.common.Require;
import dev.outrider.common.Ticker;
import dev.outrider.nn.bench.Sample;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RandomWeights;
import dev.outrider.nn.network.RowBlock;
import dev.outrider.nn.target.PassThreads;
import dev.outrider.nn.vector.VectorMachine;
import dev.outrider.nn.vector.VectorNetwork;
import dev.outrider.spi.draft.Drafter;
import dev.outrider.spi.target.HiddenState;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/// A bench of one kind of head: times a whole draft against a target pass of one row, over random weights. Both take
/// turns within one run, so that what else the machine does reaches both.
///
/// A head's bench is its configuration record and a subclass that says what a draft is ([#plan]).
public abstract class HeadBench<C extends Record> extends NamedService<C> implements DraftBench<C> {
    /// Bound of the random weights of targets and heads.
    public static final double GAIN = 0.8;

    private static final PassOutputs OUTPUTS =
            new PassOutputs(PassOutputs.LogitRows.ALL, Set.of(new HiddenState.AfterFinalNorm()));

    /// What a configuration asks for.
    ///
    /// @param target  that is timed beside the draft
    /// @param rows    that a draft adds to the context's, new ones and those of guesses
    /// @param fresh   new rows of a draft, at least 1
    /// @param turns   how often both are measured, at least 1
    /// @param guesses of every draft, at least 1
    /// @param drafter returns a drafter of random weights whose drafts are chains of that length; the plan's user closes it
    /// @param label   of the draft in the report
    /// @param notes   after the draft's time in the report
    /// @param bound   a step over a pass by the bytes that both read, if the report should say so
    public record Plan(
            TimedTarget target,
            int rows,
            int fresh,
            int turns,
            int guesses,
            Function<VectorNetwork, Drafter> drafter,
            String label,
            String notes,
            OptionalDouble bound) {
        public Plan {
            requirePositive("turns and guesses", turns, guesses);
            int positions = target.decoder().maxPositions();
            Require.that(
                    target.context() + rows <= positions,
                    "context and draft make %d positions, the shape has %d",
                    target.context() + rows,
                    positions);
        }
    }

    /// Medians of both times.
    public record Report(double targetSeconds, double draftSeconds) {
        /// Returns the time of a draft in passes of the target.
        public double ratio() {
            return draftSeconds / targetSeconds;
        }
    }

    /// @param name        that the command line gives
    /// @param configType  the record of its keys
    /// @param description one sentence
    /// @param details     more for the help
    /// @param examples    command lines, without the program's name
    protected HeadBench(
            String name,
            Class<C> configType,
            String description,
            String details,
            String... examples) {
        super(
                name,
                configType,
                description,
                "Both run over random weights and take turns within one run. " + details,
                examples);
    }

    /// {@return the drafter of the bench's name, if a subclass does not name others}
    @Override
    public Set<String> drafters() {
        return Set.of(name());
    }

    /// Returns what a configuration asks for.
    protected abstract Plan plan(C config);

    @Override
    public final String run(C config, BenchWatch watch) {
        var plan = plan(config);
        var report = measure(plan, watch);
        var text = new StringBuilder(plan.target().describe(plan.turns())).append('\n');
        line(text, "target pass of one row", report.targetSeconds() * 1e3, " ms");
        line(
                text,
                plan.label(),
                report.draftSeconds() * 1e3,
                plan.notes().isEmpty() ? " ms" : " ms, " + plan.notes());
        line(text, "draft / target pass", report.ratio(), "");
        line(
                text,
                "over %d guesses, c".formatted(plan.guesses()),
                report.ratio() / plan.guesses(),
                "");
        plan.bound().ifPresent(bound -> line(text, "c by bytes alone", bound, ""));
        return text.toString();
    }

    /// Returns the medians of both times.
    public static Report measure(Plan plan, BenchWatch watch) {
        var turn = watch.turns(plan.turns());
        Ticker clock = watch.clock()::getAsLong;
        var timed = plan.target();
        VectorMachine.require();
        PassThreads.use(timed.threads());
        var shape = timed.decoder();
        turn.run();
        try (var network =
                        new VectorNetwork(
                                shape, new RandomWeights(shape, 1, GAIN), timed.precision());
                var cache = network.newCache(timed.context() + 1);
                var draft =
                        new TimedSession(
                                plan.drafter().apply(network),
                                timed.context(),
                                plan.fresh(),
                                plan.guesses(),
                                shape)) {
            fill(network, cache, timed.context());
            var passes = new double[plan.turns()];
            var drafts = new double[plan.turns()];
            Sample.warmUp(
                    () -> {
                        pass(network, cache, clock);
                        draft(draft, clock);
                    },
                    clock);
            for (int index = 0; index < plan.turns(); index++) {
                turn.run();
                passes[index] = pass(network, cache, clock);
                drafts[index] = draft(draft, clock);
            }
            return new Report(Sample.of(passes).median(), Sample.of(drafts).median());
        }
    }

    /// Returns the times of drafts whose cost grows with their depth.
    protected final DraftTimes perStep(C config, BenchWatch watch) {
        var plan = plan(config);
        return new DraftTimes(0, measure(plan, watch).ratio() / plan.guesses());
    }

    /// Returns the times of drafts that cost the same whatever their depth.
    protected final DraftTimes perDraft(C config, BenchWatch watch) {
        return new DraftTimes(measure(plan(config), watch).ratio(), 0);
    }

    /// Refuses numbers below 1.
    ///
    /// @param what the numbers are, for the message
    public static void requirePositive(String what, int... numbers) {
        for (int number : numbers) {
            Require.that(
                    number >= 1, "%s must be positive, got %s", what, Arrays.toString(numbers));
        }
    }

    private static void line(StringBuilder text, String label, double number, String after) {
        text.append(String.format(Locale.ROOT, "%-30s %9.3f%s%n", label, number, after));
    }

    private static void fill(VectorNetwork network, KvCache cache, int rows) {
        var nothing = new PassOutputs(PassOutputs.LogitRows.NONE, Set.of());
        int[] tokens = IntStream.range(0, rows).map(index -> index % 97).toArray();
        network.forward(List.of(RowBlock.continuing(cache, tokens)), nothing).close();
        cache.keep(IntStream.range(0, rows).boxed().toList());
    }

    private static double pass(VectorNetwork network, KvCache cache, Ticker clock) {
        long start = clock.nanos();
        network.forward(List.of(RowBlock.continuing(cache, 5)), OUTPUTS).close();
        cache.dropScratch();
        return (clock.nanos() - start) / 1e9;
    }

    private static double draft(TimedSession draft, Ticker clock) {
        long start = clock.nanos();
        draft.draft();
        double seconds = (clock.nanos() - start) / 1e9;
        draft.reset();
        return seconds;
    }
}
