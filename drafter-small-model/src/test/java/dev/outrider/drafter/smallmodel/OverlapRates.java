package dev.outrider.drafter.smallmodel;

import dev.outrider.engine.acceptance.GreedyRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.decode.Overlap;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.run.DecodeEvent.RoundCompleted;
import dev.outrider.spi.run.DecodeEvent.StageTimes;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Tokens a second of stages that take set times, in turn and overlapped, held against what the formulas allow. Passes of a small
/// network of random weights sleep until their time is over; all else is what generates otherwise.
///
/// Not a test; [OverlapTables] runs it, with the draft's length, the target pass in milliseconds, how often the draft's best token is
/// the target's, the ratios of drafting to a pass, and the numbers of branches: `4 30 0.8 0.5,1 1,8`.
///
/// @see "Liu et al. 2024 (PEARL): a round takes the longer of both stages, not their sum"
final class OverlapRates {
    private static final int TOKENS = 240;
    private static final int[] PROMPT = {1, 2, 3, 4};

    /// Positions of the demo draft, by how sure it is of its best token ([OverlapOutcomes] of 48 prompts): their share, and how often the
    /// demo target's token has the first rank there, the second and so on, and in the end any later one.
    private static final double[][] DEMO = {
        {
            0.110, 0.308, 0.085, 0.073, 0.032, 0.012, 0.024, 0.045, 0.045, 0.016, 0.016, 0.020,
            0.020, 0.016, 0.008, 0.008, 0.016, 0.255
        },
        {
            0.142, 0.406, 0.322, 0.063, 0.053, 0.022, 0.016, 0.022, 0.019, 0.006, 0.006, 0.003,
            0.006, 0.000, 0.006, 0.003, 0.000, 0.047
        },
        {0.079, 0.780, 0.209, 0.006, 0.006},
        {0.669, 0.999, 0.001},
    };

    private final int length;
    private final int millis;
    private final double agreement;

    private OverlapRates(int length, int millis, double agreement) {
        this.length = length;
        this.millis = millis;
        this.agreement = agreement;
    }

    /// @param args length, milliseconds, agreement, ratios, numbers of branches
    static void print(String... args) {
        var rates =
                new OverlapRates(
                        Integer.parseInt(args[0]),
                        Integer.parseInt(args[1]),
                        Double.parseDouble(args[2]));
        rates.report(
                Stream.of(args[3].split(",")).mapToDouble(Double::parseDouble).toArray(),
                Stream.of(args[4].split(",")).mapToInt(Integer::parseInt).toArray());
    }

    private void report(double[] ratios, int[] branches) {
        new OverlapRates(length, 1, agreement).run(1, Overlap.BESIDE); // compiled code from here on
        IO.println(
                "chains of %d, target pass of %d ms, agreement %.2f, %d tokens%n"
                        .formatted(length, millis, agreement, TOKENS));
        IO.println(
                "%-11s%9s%11s%10s%10s%10s%10s%7s%10s%7s%10s%7s%7s"
                        .formatted(
                                "draft/pass",
                                "branches",
                                "tok/round",
                                "foreseen",
                                "in turn",
                                "overlap",
                                "max",
                                "share",
                                "hits",
                                "share",
                                "PEARL",
                                "share",
                                "gain"));
        for (double ratio : ratios) {
            var inTurn = run(ratio, Overlap.NONE);
            for (int each : branches) {
                IO.println(line(ratio, each, inTurn, run(ratio, Overlap.BESIDE.branches(each))));
            }
        }
    }

    private String line(double ratio, int branches, Rate inTurn, Rate beside) {
        double pass = millis / 1e3;
        double step = ratio * pass / length;
        double tokens = beside.tokensPerRound();
        double round = Math.max(pass, (length + 1) * step);
        double max = tokens / round;
        double missed = 1 - beside.foreseen();
        double hits = tokens / (beside.foreseen() * round + missed * (pass + length * step));
        double pearl = pearlTokens() / Math.max(pass, length * step);
        return String.format(
                Locale.ROOT,
                "%-11.2f%9d%11.2f%10.2f%10.1f%10.1f%10.1f%7.2f%10.1f%7.2f%10.1f%7.2f%7.2f",
                ratio,
                branches,
                tokens,
                beside.foreseen(),
                inTurn.rate(),
                beside.rate(),
                max,
                beside.rate() / max,
                hits,
                beside.rate() / hits,
                pearl,
                beside.rate() / pearl,
                beside.rate() / inTurn.rate());
    }

    /// Tokens that a step of PEARL's schedule commits, if every guess is accepted with the same chance. Each step is a pass of the target
    /// beside a whole draft. After a rejection the target verifies the first guess of the draft that is being made, which commits one token
    /// (pre-verify); where that was accepted, it verifies the draft before beside the next one (post-verify), and goes on so until one is
    /// rejected.
    private double pearlTokens() {
        double whole = Math.pow(agreement, length);
        double verified = agreement == 1 ? length : (1 - whole) / (1 - agreement);
        double post = agreement / (agreement + 1 - whole);
        return (1 - post) + post * verified;
    }

    /// What a generation came to, without its prefill.
    private record Rate(int rounds, int tokens, double seconds, double foreseen) {
        double tokensPerRound() {
            return (double) tokens / rounds;
        }

        double rate() {
            return tokens / seconds;
        }
    }

    private Rate run(double ratio, Overlap how) {
        long pass = millis * 1_000_000L;
        long step = (long) (ratio * pass / length);
        int layers = RandomDecoders.TARGET_LAYERS;
        var network =
                new CountingNetwork(
                        new StagedNetwork(RandomDecoders.vectorNetwork(layers), step, kinds()));
        var foreseen = new ForeseenRounds(network);
        var count = new int[2];
        var times = new StageTimes[] {StageTimes.zero()};
        try (var target =
                        RandomDecoders.vectorTarget(
                                new StagedNetwork(RandomDecoders.vectorNetwork(layers), pass));
                var drafter =
                        new SmallModelDrafter(
                                Configs.of(new TreePlan.Chain(length)),
                                RandomDecoders.draft(network),
                                RandomDecoders.VOCABULARY)) {
            new Decoder(
                            target,
                            Optional.of(foreseen.counting(drafter)),
                            new GreedyRule(),
                            FixedLength.drafterLimit(),
                            false,
                            System::nanoTime)
                    .withOverlap(how)
                    .decode(
                            DecodeRequest.of(PROMPT, TOKENS, SamplingPolicy.argmax()),
                            RandomnessSource.of(new KeyedRandomStreams(0, 0)),
                            event -> {
                                if (event instanceof RoundCompleted round) {
                                    count[0]++;
                                    count[1] += round.emitted();
                                    times[0] = times[0].plus(round.times());
                                }
                            },
                            () -> false);
        }
        return new Rate(count[0], count[1], times[0].total() / 1e9, foreseen.share());
    }

    /// Positions of the demo draft, each kind as often wrong as it takes for the agreement that is asked for.
    private List<StagedNetwork.Kind> kinds() {
        double wrong = Arrays.stream(DEMO).mapToDouble(kind -> kind[0] * (1 - kind[1])).sum();
        return Arrays.stream(DEMO).map(kind -> kind(kind, (1 - agreement) / wrong)).toList();
    }

    private static StagedNetwork.Kind kind(double[] kind, double more) {
        double wrong = Math.min(1, (1 - kind[1]) * more);
        return new StagedNetwork.Kind(
                kind[0],
                IntStream.range(1, kind.length)
                        .mapToObj(
                                rank -> rank == 1 ? 1 - wrong : kind[rank] * wrong / (1 - kind[1]))
                        .toList());
    }
}
