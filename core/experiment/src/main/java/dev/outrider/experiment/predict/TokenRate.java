package dev.outrider.experiment.predict;

import dev.outrider.experiment.stats.SumRatio;
import java.util.List;

/// Tokens per round of many texts, with a 95 % interval from resampled prompts.
///
/// @param tokensPerRound all tokens over all rounds
/// @param low            2.5 % quantile of the resamples; the rate itself where there is one prompt only
/// @param high           97.5 % quantile
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 2.4"
public record TokenRate(double tokensPerRound, double low, double high) {
    /// The texts of one prompt together.
    ///
    /// @param tokens written
    /// @param rounds needed, or expected to be
    public record OfPrompt(double tokens, double rounds) {
        OfPrompt plus(OfPrompt other) {
            return new OfPrompt(tokens + other.tokens, rounds + other.rounds);
        }
    }

    /// A round yields a token at least, so that an interval that reaches below says less than everybody knows; one wider than its rate
    /// tells hardly one draft from another.
    private static final double WIDEST = 1;

    private static final double ROUNDING = 1e-9;

    /// Wanted where more texts would help: an interval so wide to either side.
    private static final double WANTED = 0.1;

    /// Whether the interval says anything.
    boolean certain() {
        return low >= 1 - ROUNDING
                && high < Double.POSITIVE_INFINITY
                && high - low <= WIDEST * tokensPerRound;
    }

    /// About how many times as many texts would bring the interval to a tenth to either side, if they vary as these do.
    long times() {
        double half = (high - low) / 2 / (WANTED * Math.max(1, tokensPerRound));
        return Math.max(2, Math.round(Math.ceil(half * half)));
    }

    static TokenRate of(List<OfPrompt> prompts, long seed) {
        var ratio =
                SumRatio.of(
                        prompts.stream().mapToDouble(OfPrompt::tokens).toArray(),
                        prompts.stream().mapToDouble(OfPrompt::rounds).toArray(),
                        seed);
        return new TokenRate(ratio.value(), ratio.low(), ratio.high());
    }
}
