package dev.outrider.experiment.report;

import dev.outrider.experiment.run.Side;
import dev.outrider.experiment.stats.Finite;
import dev.outrider.experiment.stats.Interval;
import dev.outrider.experiment.stats.SideStatistics;
import dev.outrider.experiment.verify.Evidence;
import java.util.List;
import java.util.Optional;

/// One object of `summary.json`.
///
/// @param variant          name of the variant
/// @param drafter          name of its drafter
/// @param rule             name of its acceptance rule
/// @param temperature      sampling temperature
/// @param tokensPerSecond  emitted tokens over time, prefill included
/// @param speedup          against plain decoding, paired; median and 95 % interval
/// @param predictedSpeedup from measured tokens per round and round times
/// @param tokensPerRound   the following token included; plain decoding is 1
/// @param alpha            accepts / (accepts + rejections) over positions reached
/// @param perPosition      accepted at position i / drafts, i from 1
/// @param c                one draft step over one target pass of one row
/// @param engineShare      the engine's own part of a round
/// @param losslessness     `lossless-in-law`, `greedy-equal` or `lossy`: what is promised
/// @param evidence         tests of that promise for output that was sampled; greedy output's is in the table and in
///                         `mismatches` of the details
public record VariantSummary(
        String variant,
        String drafter,
        String rule,
        double temperature,
        double tokensPerSecond,
        Interval speedup,
        double predictedSpeedup,
        double tokensPerRound,
        double alpha,
        List<Double> perPosition,
        double c,
        double engineShare,
        String losslessness,
        Optional<Evidence> evidence) {

    /// The summary of one variant.
    public static VariantSummary of(SideStatistics side, Optional<Evidence> evidence) {
        Side side = side.side();
        return new VariantSummary(
                side.name(),
                side.drafter(),
                side.rule(),
                side.policy().temperature(),
                side.tokensPerSecond(),
                side.speedup(),
                side.predictions().byTimes(),
                Finite.orZero(side.metrics().tokensPerRound()),
                Finite.orZero(side.metrics().alpha()),
                side.metrics().acceptanceByPosition(),
                side.cost(),
                Finite.orZero(side.metrics().engineShare()),
                Labels.of(side.losslessness()),
                evidence);
    }
}
