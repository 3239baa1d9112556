package dev.outrider.experiment.predict;

import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.statistics.descriptive.Quantile;

/// Tokens per round of many texts, with a 95 % interval from resampled prompts.
///
/// @param tokensPerRound all tokens over all rounds
/// @param low            2.5 % quantile of the resamples; the rate itself where there is one prompt only
/// @param high           97.5 % quantile
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 2.4"
public record TokenRate(double tokensPerRound, double low, double high) {
    private static final int RESAMPLES = 2_000;
    private static final double TAIL = 0.025;

    /// The texts of one prompt together.
    ///
    /// @param tokens written
    /// @param rounds needed, or expected to be
    public record OfPrompt(double tokens, double rounds) {
        OfPrompt plus(OfPrompt other) {
            return new OfPrompt(tokens + other.tokens, rounds + other.rounds);
        }
    }

    static TokenRate of(List<OfPrompt> prompts, long seed) {
        double rate = rate(prompts);
        if (prompts.size() == 1) {
            return new TokenRate(rate, rate, rate);
        }
        var random = new SplittableRandom(seed);
        double[] rates = new double[RESAMPLES];
        for (int sample = 0; sample < RESAMPLES; sample++) {
            rates[sample] =
                    rate(
                            random.ints(prompts.size(), 0, prompts.size())
                                    .mapToObj(prompts::get)
                                    .toList());
        }
        double[] tails = Quantile.withDefaults().evaluate(rates, TAIL, 1 - TAIL);
        return new TokenRate(rate, tails[0], tails[1]);
    }

    private static double rate(List<OfPrompt> prompts) {
        var all = prompts.stream().reduce(new OfPrompt(0, 0), OfPrompt::plus);
        return all.tokens() / all.rounds();
    }
}
