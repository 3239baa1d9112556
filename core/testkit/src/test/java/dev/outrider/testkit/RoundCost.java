package dev.outrider.testkit;

import dev.outrider.engine.acceptance.TokenRejectionRule;
import dev.outrider.engine.decode.DecodeRequest;
import dev.outrider.engine.decode.Decoder;
import dev.outrider.engine.length.FixedLength;
import dev.outrider.engine.metrics.DecodeMetrics.MetricsCollector;
import dev.outrider.engine.random.KeyedRandomStreams;
import dev.outrider.engine.random.RandomnessSource;
import dev.outrider.spi.draft.TreePlan;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// Measures the engine's own microseconds per round (everything except drafter and target), over a
/// table of 32,000 tokens and chains of 8. The clock is the thread's processor time, which other
/// programs disturb less. Not a test; run its main method.
final class RoundCost {
    private static final int VOCABULARY = 32_000;
    private static final int LENGTH = 8;
    private static final int TOKENS = 900;

    private RoundCost() {}

    public static void main(String[] arguments) {
        var threads = ManagementFactory.getThreadMXBean();
        var weights = new double[VOCABULARY];
        var random = new SplittableRandom(1);
        for (int token = 0; token < VOCABULARY; token++) {
            weights[token] = Math.exp(2.5 * random.nextGaussian());
        }
        var table = TableModel.constant(weights);
        var policies =
                List.of(
                        SamplingPolicy.argmax(),
                        SamplingPolicy.atTemperature(1),
                        new SamplingPolicy(1, 50, .9, 0, 1));
        for (int warmUp = 0; warmUp < 3; warmUp++) {
            for (var policy : policies) {
                var metrics = new MetricsCollector();
                var decoder =
                        new Decoder(
                                new TableTarget(table, 8192, Set.of()),
                                Optional.of(
                                        new TableDrafter(
                                                table, new TreePlan.Chain(LENGTH), policy)),
                                new TokenRejectionRule(),
                                new FixedLength(LENGTH),
                                false,
                                threads::getCurrentThreadCpuTime);
                decoder.decode(
                        DecodeRequest.of(new int[] {1}, TOKENS, policy),
                        RandomnessSource.of(new KeyedRandomStreams(1, warmUp)),
                        metrics,
                        () -> false);
                var result = metrics.metrics();
                System.out.printf(
                        "%s: %.1f us a round, %.2f tokens a round%n",
                        policy,
                        result.times().engine() / 1e3 / result.rounds(),
                        result.tokensPerRound());
            }
        }
    }
}
