package dev.outrider.experiment.stats;

import dev.outrider.engine.metrics.DecodeMetrics;

/// The speedup that theory expects from what was measured.
///
/// @param byTimes        tokens per round times the time of a plain round, over the time of this side's round
/// @param byAlphaAndCost (1 - a^(K+1)) / ((1 - a)(K c + 1)), K the mean depth of the drafts: guesses accepted independently,
///                       and a target pass that costs the same for any number of rows
/// @see "Leviathan et al. 2023, theorem 3.8; docs/algorithms.md A12.1"
public record Predictions(double byTimes, double byAlphaAndCost) {
    static Predictions of(DecodeMetrics side, DecodeMetrics plain) {
        return new Predictions(
                Finite.orZero(side.predictedSpeedup(plain)),
                Finite.orZero(side.theoreticalSpeedup(plain.passNanos())));
    }
}
