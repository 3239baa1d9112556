package dev.outrider.experiment.report;

import dev.outrider.engine.metrics.DecodeMetrics;
import dev.outrider.experiment.stats.Diagnosis;
import dev.outrider.experiment.stats.Finite;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.Latency;
import dev.outrider.experiment.stats.Predictions;
import dev.outrider.experiment.stats.RoundMeans;
import dev.outrider.experiment.stats.SideStatistics;
import dev.outrider.experiment.verify.Evidence;
import java.util.List;
import java.util.Optional;

/// One side in `details.json`; [SideStatistics] and [VariantSummary] define the numbers.
///
/// @param name                   of the side
/// @param baseline               the plain decoding it is compared with; its own name if it is plain decoding
/// @param memoryBoundSpeedup     tokens per round / (parameter ratio x draft steps + 1)
/// @param draftAcceptanceRate    accepted / drafted
/// @param conditionalPerPosition accepted at position i / tested at i
/// @param wastedTokens           drafted and scored, thrown away
/// @param counts                 sums over all rounds
/// @param meanNanos              mean times of a round
/// @param diagnosis              why the measured speedup is not the formula's; empty for plain decoding
public record SideDetails(
        String name,
        String baseline,
        String drafter,
        String rule,
        double temperature,
        String losslessness,
        Optional<Evidence> evidence,
        int generations,
        double tokensPerSecond,
        Interval speedup,
        Predictions predictedSpeedup,
        double c,
        Optional<Double> memoryBoundSpeedup,
        double tokensPerRound,
        double alpha,
        double draftAcceptanceRate,
        List<Double> perPosition,
        List<Double> conditionalPerPosition,
        long wastedTokens,
        DecodeMetrics counts,
        RoundMeans meanNanos,
        Latency latencyMillis,
        Optional<Diagnosis> diagnosis) {
    public SideDetails {
        perPosition = List.copyOf(perPosition);
        conditionalPerPosition = List.copyOf(conditionalPerPosition);
    }

    static SideDetails of(SideStatistics side, Optional<Evidence> evidence) {
        var side = side.side();
        return new SideDetails(
                side.name(),
                side.baseline(),
                side.drafter(),
                side.rule(),
                side.policy().temperature(),
                Labels.of(side.losslessness()),
                evidence,
                side.generations(),
                side.tokensPerSecond(),
                side.speedup(),
                side.predictions(),
                side.cost(),
                side.memoryBound(),
                Finite.orZero(side.metrics().tokensPerRound()),
                Finite.orZero(side.metrics().alpha()),
                Finite.orZero(side.metrics().draftAcceptanceRate()),
                side.metrics().acceptanceByPosition(),
                side.metrics().conditionalAcceptanceByPosition(),
                side.metrics().wasted(),
                side.metrics(),
                side.means(),
                side.latency(),
                side.diagnosis());
    }

    /// Whether this is plain decoding.
    public boolean plain() {
        return name.equals(baseline);
    }

    /// Mean depth of the drafts, K; 0 where nothing was drafted.
    public double draftLength() {
        return Finite.orZero(counts.meanDraftLength());
    }
}
