package dev.outrider.experiment.stats;

import dev.outrider.engine.theory.SpeedupTheory;

/// The speedup that theory expects from what was measured.
///
/// @param byAlphaAndCost (1 - a^(K+1)) / ((1 - a)(K c + 1)), K the mean draft depth rounded: independent guesses, and a
///                       target pass that costs the same for any number of rows
/// @param byTimes        E[tokens] t(1) / (t_draft + t(n) + t_rest) with measured tokens and times
public record Predictions(double byAlphaAndCost, double byTimes) {
    static Predictions of(
            Acceptance acceptance, StageMeans variant, StageMeans plain, double cost) {
        int length = (int) Math.round(acceptance.meanDepth());
        double round = variant.draft() + variant.score() + variant.others();
        return new Predictions(
                SpeedupTheory.speedup(acceptance.alpha(), length, cost),
                round == 0
                        ? 1
                        : SpeedupTheory.speedup(
                                acceptance.expectedTokens(),
                                plain.score(),
                                variant.draft(),
                                variant.score(),
                                variant.others()));
    }
}
