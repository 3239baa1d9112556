package dev.outrider.drafting.bench;

import dev.outrider.nn.network.FusionConfig;
import java.util.Locale;

/// Times a chain of draft steps of a layer that reads features, and writes the report. A step's share of a pass is c; the bound
/// is what the bytes of both allow.
public final class ChainBench {
    private ChainBench() {}

    /// Measures.
    ///
    /// @param drafter what the report calls a step's drafter
    /// @param target  what it is timed against
    /// @param fusion  the draft layer's input at the target's shape
    /// @param length  steps of a chain
    /// @param turns   times each side is measured
    /// @throws IllegalArgumentException as [FeatureBench.Request]
    public static String run(
            String drafter,
            TimedTarget target,
            FusionConfig fusion,
            int length,
            int turns,
            BenchWatch watch) {
        var report = report(target, fusion, length, turns, watch);
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row      %9.3f ms
                  %s step, chain of %d       %9.3f ms, head of %d tokens
                  step / target pass, c       %9.3f
                  c by bytes alone            %9.3f
                """,
                target.describe(turns),
                1e3 * report.targetSeconds(),
                drafter,
                length,
                1e3 * report.stepSeconds(),
                fusion.headSize(),
                report.ratio(),
                report.bound());
    }

    /// Measures the same and gives the numbers.
    ///
    /// @throws IllegalArgumentException as [FeatureBench.Request]
    public static DraftTimes times(
            TimedTarget target, FusionConfig fusion, int length, int turns, BenchWatch watch) {
        return new DraftTimes(0, report(target, fusion, length, turns, watch).ratio());
    }

    private static FeatureBench.Report report(
            TimedTarget target, FusionConfig fusion, int length, int turns, BenchWatch watch) {
        var request =
                new FeatureBench.Request(
                        target.decoder(),
                        1,
                        fusion,
                        target.precision(),
                        target.threads(),
                        target.context(),
                        length,
                        turns);
        return FeatureBench.run(request, watch.turns(turns), watch.clock()::getAsLong);
    }
}
