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
import dev.outrider.spi.run.StageTimes;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.Locale;
import java.util.Optional;

/// Tokens a second of stages that take set times, in turn and overlapped, held against what the formulas allow. Passes of a small
/// network of random weights sleep until their time is over; all else is what generates otherwise.
///
/// Not a test; run its main method, with the draft's length, the target pass in milliseconds and how often the draft's best token is
/// the target's: `4 30 1`.
///
/// @see "Liu et al. 2024 (PEARL): a round takes the longer of both stages, not their sum"
final class OverlapRates {
    private static final double[] RATIOS = {0.25, 0.5, 0.8, 1, 1.25, 2};
    private static final int TOKENS = 240;
    private static final int[] PROMPT = {1, 2, 3, 4};

    private final int length;
    private final int millis;
    private final double agreement;

    private OverlapRates(int length, int millis, double agreement) {
        this.length = length;
        this.millis = millis;
        this.agreement = agreement;
    }

    /// @param args length, milliseconds, agreement
    static void main(String[] args) {
        IO.print(
                new OverlapRates(
                                Integer.parseInt(args[0]),
                                Integer.parseInt(args[1]),
                                Double.parseDouble(args[2]))
                        .report());
    }

    private String report() {
        new OverlapRates(length, 1, agreement).run(1, Overlap.BESIDE); // compiled code from here on
        var report =
                new StringBuilder(
                        "chains of %d, target pass of %d ms, agreement %.2f, %d tokens%n%n"
                                .formatted(length, millis, agreement, TOKENS));
        report.append(
                "%-11s%11s%10s%10s%10s%10s%8s%8s%8s%n"
                        .formatted(
                                "draft/pass",
                                "tok/round",
                                "in turn",
                                "sum",
                                "overlap",
                                "max",
                                "share",
                                "PEARL",
                                "gain"));
        for (double ratio : RATIOS) {
            var inTurn = run(ratio, Overlap.NONE);
            var beside = run(ratio, Overlap.BESIDE);
            double pass = millis / 1e3;
            double step = ratio * pass / length;
            double tokens = beside.tokensPerRound();
            double sum = tokens / (pass + length * step);
            double max = tokens / Math.max(pass, (length + 1) * step);
            double pearl = length / Math.max(pass, length * step);
            report.append(
                    String.format(
                            Locale.ROOT,
                            "%-11.2f%11.2f%10.1f%10.1f%10.1f%10.1f%8.2f%8.2f%8.2f%n",
                            ratio,
                            tokens,
                            inTurn.rate(),
                            sum,
                            beside.rate(),
                            max,
                            beside.rate() / max,
                            beside.rate() / pearl,
                            beside.rate() / inTurn.rate()));
        }
        return report.toString();
    }

    /// What a generation came to, without its prefill.
    private record Rate(int rounds, int tokens, double seconds) {
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
        var model =
                RandomDecoders.draft(
                        new StagedNetwork(RandomDecoders.vectorNetwork(layers), step, agreement));
        var count = new int[2];
        var times = new StageTimes[] {StageTimes.zero()};
        try (var target =
                        RandomDecoders.vectorTarget(
                                new StagedNetwork(RandomDecoders.vectorNetwork(layers), pass, 1));
                var drafter =
                        new SmallModelDrafter(
                                Configs.of(new TreePlan.Chain(length)),
                                model,
                                RandomDecoders.VOCABULARY)) {
            new Decoder(
                            target,
                            Optional.of(drafter),
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
        return new Rate(count[0], count[1], times[0].total() / 1e9);
    }
}
