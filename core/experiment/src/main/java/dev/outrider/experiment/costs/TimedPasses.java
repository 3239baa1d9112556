package dev.outrider.experiment.costs;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.commons.statistics.descriptive.Median;

/// t(n) from passes, or from the means of blocks of them. The median of each number of rows, which a machine that did something else for a
/// moment does not move; numbers of rows with so few passes that a median has no 95 % interval, or with one that says little, are left out; and through the
/// others goes the nearest curve that does not fall ([Isotonic]). The commonest number of more rows than one stays in any case, and so
/// does the greatest, beyond which only a line could be drawn.
///
/// @see "Conover 1999, Practical Nonparametric Statistics, section 3.2: an interval of a median from ranks"
final class TimedPasses {
    private static final int FEWEST = TimedBlocks.FEWEST;

    /// A median whose logarithm has a greater standard error is worse than a line between its neighbours.
    private static final double MAX_ERROR = 0.2;

    private static final double NORMAL_97_5 = 1.96;

    private TimedPasses() {}

    /// @param nanos of every pass by its rows; one row among them
    static CostCurve curve(SortedMap<Integer, double[]> nanos) {
        var medians = new TreeMap<Integer, Double>();
        var errors = new TreeMap<Integer, Double>();
        int most = nanos.tailMap(2).values().stream().mapToInt(each -> each.length).max().orElse(0);
        int last =
                nanos.entrySet().stream()
                        .filter(each -> each.getValue().length >= FEWEST)
                        .mapToInt(Map.Entry::getKey)
                        .max()
                        .orElse(1);
        nanos.forEach((rows, passes) -> {
            double error = error(passes);
            boolean needed = passes.length == most || rows == last;
            if (rows == 1 || passes.length >= FEWEST && (needed || error <= MAX_ERROR)) {
                medians.put(rows, median(passes));
                errors.put(rows, error);
            }
        });
        return new CostCurve(Isotonic.rising(medians, errors), errors);
    }

    /// The curve as other blocks of the same passes have it.
    ///
    /// @param known the curve of all, whose numbers of rows and errors it has
    static CostCurve again(CostCurve known, IntFunction<double[]> nanos) {
        var medians = new TreeMap<Integer, Double>();
        known.points()
                .forEach((rows, usual) -> {
                    double[] passes = nanos.apply(rows);
                    medians.put(rows, passes.length == 0 ? usual : median(passes));
                });
        return new CostCurve(Isotonic.rising(medians, known.errors()), known.errors());
    }

    static double median(double... values) {
        return Median.withDefaults().evaluate(values);
    }

    /// The width of the median's 95 % interval as the standard error of its logarithm.
    private static double error(double... passes) {
        double[] sorted = passes.clone();
        Arrays.sort(sorted);
        double half = NORMAL_97_5 * Math.sqrt(sorted.length) / 2;
        int low = (int) Math.max(0, Math.floor(sorted.length / 2.0 - half) - 1);
        int high = (int) Math.min(sorted.length - 1, Math.ceil(sorted.length / 2.0 + half));
        return Math.log(sorted[high] / sorted[low]) / (2 * NORMAL_97_5);
    }
}
