package dev.outrider.experiment.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.descriptive.Quantile;

/// A sum over prompts by another one, with a 95 % interval from resampled prompts.
///
/// @param value of all prompts
/// @param low   2.5 % quantile of the resamples; the value itself where there is one prompt only
/// @param high  97.5 % quantile
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 2.4"
public record SumRatio(double value, double low, double high) {
    private static final double TAIL = 0.025;

    /// Adds up and resamples; ratios with one seed are resampled alike.
    ///
    /// @param over  by prompt, at least one
    /// @param under by prompt, positive sums
    public static SumRatio of(double[] over, double[] under, long seed) {
        double value = Arrays.stream(over).sum() / Arrays.stream(under).sum();
        if (over.length == 1) {
            return new SumRatio(value, value, value);
        }
        var random = new SplittableRandom(seed);
        double[] ratios = new double[Bootstrap.RESAMPLES];
        for (int sample = 0; sample < ratios.length; sample++) {
            double top = 0;
            double bottom = 0;
            for (int draw = 0; draw < over.length; draw++) {
                int prompt = random.nextInt(over.length);
                top += over[prompt];
                bottom += under[prompt];
            }
            ratios[sample] = top / bottom;
        }
        double[] tails = Quantile.withDefaults().evaluate(ratios, TAIL, 1 - TAIL);
        return new SumRatio(value, tails[0], tails[1]);
    }
}
