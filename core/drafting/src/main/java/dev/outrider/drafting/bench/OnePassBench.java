package dev.outrider.drafting.bench;

import dev.outrider.common.Ticker;
import dev.outrider.nn.network.FeatureNetwork;
import dev.outrider.nn.network.FeatureRows;
import dev.outrider.nn.network.FusionConfig;
import dev.outrider.nn.network.KvCache;
import dev.outrider.nn.network.PassOutputs;
import dev.outrider.nn.network.RowBlock;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;

/// Times drafts that layers which read features make in one pass, and writes the report: the rows that come new with a round, and one
/// for every further guess.
public final class OnePassBench {
    private OnePassBench() {}

    /// What is drafted.
    ///
    /// @param layers of the draft, of the target's shape
    /// @param fusion how they make their input
    /// @param fed    rows of true features that come new with a round, the root's included
    /// @param length guesses
    public record Draft(int layers, FusionConfig fusion, int fed, int length) {
        /// @throws IllegalArgumentException if a number is not positive
        public Draft {
            if (layers < 1 || fed < 1 || length < 1) {
                throw new IllegalArgumentException(
                        "layers %d, fed %d and length %d must be positive"
                                .formatted(layers, fed, length));
            }
        }

        int rows() {
            return fed + length - 1;
        }
    }

    /// Measures, and writes it down.
    ///
    /// @param drafter what the report calls the drafter
    /// @param turns   times each side is measured
    /// @throws IllegalArgumentException if the draft does not fit the shape
    public static String run(
            String drafter, TimedTarget target, Draft draft, int turns, BenchWatch watch) {
        var report = report(target, draft, turns, watch);
        return String.format(
                Locale.ROOT,
                """
                %s
                  target pass of one row      %9.3f ms
                  %s draft of %d              %9.3f ms, %d layers, %d new rows, head of %d tokens
                  draft / target pass         %9.3f
                  over %d guesses, c           %9.3f
                """,
                target.describe(turns),
                1e3 * report.targetSeconds(),
                drafter,
                draft.length(),
                1e3 * report.stepSeconds(),
                draft.layers(),
                draft.fed(),
                draft.fusion().headSize(),
                report.ratio(),
                draft.length(),
                report.ratio() / draft.length());
    }

    /// Measures the same and gives the numbers.
    ///
    /// @throws IllegalArgumentException if the draft does not fit the shape
    public static DraftTimes times(TimedTarget target, Draft draft, int turns, BenchWatch watch) {
        return new DraftTimes(report(target, draft, turns, watch).ratio(), 0);
    }

    private static FeatureBench.Report report(
            TimedTarget target, Draft draft, int turns, BenchWatch watch) {
        var request =
                new FeatureBench.Request(
                        target.decoder(),
                        draft.layers(),
                        draft.fusion(),
                        target.precision(),
                        target.threads(),
                        target.context(),
                        draft.rows(),
                        turns);
        return FeatureBench.run(
                request,
                (network, cache, clock) -> pass(draft, network, cache, clock),
                watch.turns(turns),
                watch.clock()::getAsLong);
    }

    private static double pass(Draft draft, FeatureNetwork network, KvCache cache, Ticker clock) {
        int width = draft.fusion().capturedWidth();
        var features = new float[draft.rows() * width];
        Arrays.fill(features, 0.1f);
        var tokens = new int[draft.rows()];
        Arrays.fill(tokens, 1);
        try (var arena = Arena.ofConfined()) {
            long start = clock.nanos();
            var memory = arena.allocateFrom(ValueLayout.JAVA_FLOAT, features);
            network.forward(
                            RowBlock.continuing(cache, tokens),
                            new FeatureRows(memory, draft.rows(), FeatureRows.Source.TARGET),
                            PassOutputs.lastLogits(draft.length()))
                    .close();
            double seconds = (clock.nanos() - start) / 1e9;
            cache.dropScratch();
            return seconds;
        }
    }
}
