package dev.outrider.experiment.stats;

import dev.outrider.common.Require;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;

/// Confidence intervals by resampling. Medians have two levels: prompts are drawn with replacement, then the repetitions within each
/// drawn prompt, since repetitions of one prompt resemble one another.
///
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, sections 2.4 and 3.8"
public final class Bootstrap {
    /// Resamples drawn for an interval.
    public static final int RESAMPLES = 2_000;

    private static final double TAIL = 0.025;

    private Bootstrap() {}

    /// Returns the median of all values with the 2.5 % and 97.5 % quantiles of its resampled medians.
    ///
    /// @param groups values by prompt, each prompt with at least one
    /// @param seed   of the resampling
    public static Interval median(List<List<Double>> groups, long seed) {
        Require.that(
                !groups.isEmpty() && !groups.stream().anyMatch(List::isEmpty),
                "a median needs at least one value in each of at least one group");
        var random = new SplittableRandom(seed);
        double[][] values = arrays(groups);
        double middle = middle(values);
        return single(values)
                ? Interval.unknown(middle)
                : between(middle, () -> median(resample(values, random)));
    }

    /// Returns the difference of two medians, second less first, with the quantiles of its resamples. Prompts are drawn for both variants
    /// together, since a prompt that is hard for one is hard for the other.
    ///
    /// @param first  values by prompt, each prompt with at least one
    /// @param second values of the same prompts in the same order
    /// @param seed   of the resampling
    public static Interval difference(
            List<List<Double>> first, List<List<Double>> second, long seed) {
        Require.that(
                !first.isEmpty()
                        && first.size() == second.size()
                        && !first.stream().anyMatch(List::isEmpty)
                        && !second.stream().anyMatch(List::isEmpty),
                "a difference needs at least one value on each side of at least one prompt, the same prompts on both");
        var random = new SplittableRandom(seed);
        double[][] left = arrays(first);
        double[][] right = arrays(second);
        double difference = middle(right) - middle(left);
        return single(left) && single(right)
                ? Interval.unknown(difference)
                : between(
                        difference,
                        () -> {
                            int[] prompts = random.ints(left.length, 0, left.length).toArray();
                            return median(resample(right, prompts, random))
                                    - median(resample(left, prompts, random));
                        });
    }

    /// Returns a sum over prompts divided by another sum over prompts, with the quantiles of its resamples. Ratios with the same
    /// seed use the same resamples. A single prompt has no interval.
    ///
    /// @param all    at least one
    /// @param prompt returns the prompt of a value
    /// @param over   the numerator's summand
    /// @param under  the denominator's summand; positive sums
    /// @param seed   of the resampling
    public static <T> Interval ratio(
            List<T> all,
            Function<T, ?> prompt,
            ToDoubleFunction<T> over,
            ToDoubleFunction<T> under,
            long seed) {
        var byPrompt = new LinkedHashMap<Object, double[]>();
        double[] whole = new double[2];
        for (var each : all) {
            double[] own = byPrompt.computeIfAbsent(prompt.apply(each), _ -> new double[2]);
            for (double[] sums : List.of(own, whole)) {
                sums[0] += over.applyAsDouble(each);
                sums[1] += under.applyAsDouble(each);
            }
        }
        double value = whole[0] / whole[1];
        if (byPrompt.size() == 1) {
            return Interval.unknown(value);
        }
        double[][] sums = byPrompt.values().toArray(double[][]::new);
        var random = new SplittableRandom(seed);
        return between(
                value,
                () -> {
                    double top = 0;
                    double bottom = 0;
                    for (int draw = 0; draw < sums.length; draw++) {
                        double[] drawn = sums[random.nextInt(sums.length)];
                        top += drawn[0];
                        bottom += drawn[1];
                    }
                    return top / bottom;
                });
    }

    /// Returns a value with the quantiles of its resamples.
    ///
    /// @param resample draws one
    public static Interval between(double value, DoubleSupplier resample) {
        double[] resamples = DoubleStream.generate(resample).limit(RESAMPLES).toArray();
        double[] tails = Quantile.withDefaults().evaluate(resamples, TAIL, 1 - TAIL);
        return Interval.of(value, tails[0], tails[1]);
    }

    /// Returns the median of some values, at least one.
    public static double median(double... values) {
        return Median.withDefaults().evaluate(values);
    }

    /// A single value says nothing about the spread of values.
    private static boolean single(double[][] groups) {
        return groups.length == 1 && groups[0].length == 1;
    }

    private static double middle(double[][] groups) {
        return median(Arrays.stream(groups).flatMapToDouble(Arrays::stream).toArray());
    }

    private static double[] resample(double[][] groups, int[] chosen, SplittableRandom random) {
        return Arrays.stream(chosen)
                .mapToObj(index -> groups[index])
                .flatMapToDouble(group ->
                        random.ints(group.length, 0, group.length)
                                .mapToDouble(index -> group[index]))
                .toArray();
    }

    private static double[][] arrays(List<List<Double>> groups) {
        return groups.stream()
                .map(values -> values.stream().mapToDouble(Double::doubleValue).toArray())
                .toArray(double[][]::new);
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
