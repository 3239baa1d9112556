package dev.outrider.experiment.stats;

import dev.outrider.experiment.run.GenerationRecord;
import dev.outrider.experiment.run.RoundRecord;
import java.util.List;
import org.HdrHistogram.Histogram;

/// Latencies in milliseconds.
///
/// @param firstToken median time to the first token: prefill and first round
/// @param p50        median time of a token; the tokens of a round share its time
/// @param p90        90th percentile of the same
/// @param p99        99th percentile of the same
public record Latency(double firstToken, double p50, double p90, double p99) {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MILLI = 1e6;

    /// Latencies of generations.
    public static Latency of(List<GenerationRecord> generations) {
        var first = new Histogram(DIGITS);
        var perToken = new Histogram(DIGITS);
        for (GenerationRecord generation : generations) {
            for (RoundRecord round : generation.rounds()) {
                if (round.round() == 0) {
                    first.recordValue(generation.metrics().prefillNanos() + round.times().total());
                }
                if (round.emitted() > 0) {
                    perToken.recordValueWithCount(
                            round.times().total() / round.emitted(), round.emitted());
                }
            }
        }
        return new Latency(at(first, 50), at(perToken, 50), at(perToken, 90), at(perToken, 99));
    }

    private static double at(Histogram histogram, double percentile) {
        return histogram.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
