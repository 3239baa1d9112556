package dev.outrider.experiment.stats;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;

/// Confidence intervals of a median by resampling. Two levels: prompts are drawn with replacement, then the repetitions
/// within each drawn prompt, since repetitions of one prompt resemble one another.
///
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 3.8"
public final class Bootstrap {
    /// Resamples drawn for an interval.
    public static final int RESAMPLES = 2_000;

    private static final double TAIL = 0.025;

    private Bootstrap() {}

    /// The median of all values with the 2.5 % and 97.5 % quantiles of its resampled medians.
    ///
    /// @param groups values by prompt, each prompt with at least one
    /// @param seed   of the resampling
    public static Interval median(List<List<Double>> groups, long seed) {
        if (groups.isEmpty() || groups.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException(
                    "a median needs at least one value in each of at least one group");
        }
        var random = new SplittableRandom(seed);
        double[][] values = groups.stream().map(Bootstrap::array).toArray(double[][]::new);
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            medians[i] = Median.withDefaults().evaluate(resample(values, random));
        }
        double[] tails = Quantile.withDefaults().evaluate(medians, TAIL, 1 - TAIL);
        return single(values)
                ? Interval.unknown(middle(values))
                : Interval.of(middle(values), tails[0], tails[1]);
    }

    /// The difference of two medians, second less first, with the quantiles of its resamples. Prompts are drawn for both
    /// variants together, since a prompt that is hard for one is hard for the other.
    ///
    /// @param first  values by prompt, each prompt with at least one
    /// @param second values of the same prompts in the same order
    /// @param seed   of the resampling
    public static Interval difference(
            List<List<Double>> first, List<List<Double>> second, long seed) {
        if (first.isEmpty()
                || first.size() != second.size()
                || first.stream().anyMatch(List::isEmpty)
                || second.stream().anyMatch(List::isEmpty)) {
            throw new IllegalArgumentException(
                    "a difference needs at least one value on each side of at least one prompt, the same prompts on both");
        }
        var random = new SplittableRandom(seed);
        double[][] left = first.stream().map(Bootstrap::array).toArray(double[][]::new);
        double[][] right = second.stream().map(Bootstrap::array).toArray(double[][]::new);
        double[] differences = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            int[] prompts = random.ints(left.length, 0, left.length).toArray();
            differences[i] =
                    Median.withDefaults().evaluate(resample(right, prompts, random))
                            - Median.withDefaults().evaluate(resample(left, prompts, random));
        }
        double[] tails = Quantile.withDefaults().evaluate(differences, TAIL, 1 - TAIL);
        double difference = middle(right) - middle(left);
        return single(left) && single(right)
                ? Interval.unknown(difference)
                : Interval.of(difference, tails[0], tails[1]);
    }

    /// One value says nothing of how much values differ.
    private static boolean single(double[][] groups) {
        return groups.length == 1 && groups[0].length == 1;
    }

    private static double middle(double[][] groups) {
        return Median.withDefaults()
                .evaluate(Arrays.stream(groups).flatMapToDouble(Arrays::stream).toArray());
    }

    private static double[] resample(double[][] groups, int[] chosen, SplittableRandom random) {
        return Arrays.stream(chosen)
                .mapToObj(index -> groups[index])
                .flatMapToDouble(group ->
                        random.ints(group.length, 0, group.length)
                                .mapToDouble(index -> group[index]))
                .toArray();
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] resample(double[][] groups, SplittableRandom random) {
        double[][] drawn = new double[groups.length][];
        int size = 0;
        for (int i = 0; i < groups.length; i++) {
            drawn[i] = groups[random.nextInt(groups.length)];
            size += drawn[i].length;
        }
        double[] sample = new double[size];
        int next = 0;
        for (double[] group : drawn) {
            for (int j = 0; j < group.length; j++) {
                sample[next++] = group[random.nextInt(group.length)];
            }
        }
        return sample;
    }
}
