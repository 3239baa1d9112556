package dev.outrider.experiment.stats;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.distribution.TDistribution;

/// All differences between the columns of a table whose rows are prompts, with simultaneous intervals: the chance that any of
/// them misses is at most alpha.
///
/// Rows are resampled as a whole, so that an effect of a prompt that all columns share cancels. The margin of a difference is its
/// standard error times one critical value for all pairs: the quantile of the greatest studentised difference among the resamples
/// (max-T), or Student's with Bonferroni's correction if that is smaller: resamples of few rows often have too little variance,
/// which makes the quantile too large.
///
/// @see "Westfall and Young 1993, Resampling-Based Multiple Testing, section 2.3"
/// @see "Davison and Hinkley 1997, Bootstrap Methods and their Application, section 5.2.1"
final class PairedDifferences {
    /// Resamples drawn.
    static final int RESAMPLES = 4_000;

    /// A variance below this is rounding.
    private static final double NOTHING = 1e-24;

    private final int rows;
    private final double[] means;
    private final double[][] errors;
    private final double[] best;
    private final double critical;
    private final double alpha;

    /// @param values rows of equal length, at least one row and one column
    /// @param alpha  of all pairs together
    /// @param seed   of the resampling
    PairedDifferences(double[][] values, double alpha, long seed) {
        this.rows = values.length;
        this.alpha = alpha;
        int columns = values[0].length;
        this.means = means(values, columns);
        var centred = centred(values);
        int[] once = new int[rows];
        Arrays.fill(once, 1);
        this.errors = new Sample(centred, once).errors();
        this.best = new double[columns];
        double[] greatest = resample(centred, seed);
        double student = student(rows);
        this.critical =
                rows < 2 || columns < 2
                        ? student
                        : Math.min(student, Quantile.withDefaults().evaluate(greatest, 1 - alpha));
    }

    /// Mean of a column less that of another.
    double difference(int first, int second) {
        return means[first] - means[second];
    }

    /// Half the width of that difference's interval.
    double margin(int first, int second) {
        return errors[first][second] == 0 ? 0 : critical * errors[first][second];
    }

    /// Share of the resamples in which a column had the greatest mean; columns with equal means share it.
    double probabilityBest(int column) {
        return best[column] / RESAMPLES;
    }

    /// The column with the greatest mean.
    int leader() {
        int leader = 0;
        for (int i = 1; i < means.length; i++) {
            leader = means[i] > means[leader] ? i : leader;
        }
        return leader;
    }

    /// Returns the number of rows that show, with the given chance, that a difference of `distance` is real, if further rows vary
    /// as these do.
    ///
    /// @param power normal quantile of the chance
    /// @return rows in all; `most` if it is more
    long rowsToShow(int first, int second, double distance, double power, long most) {
        double deviation = errors[first][second] * Math.sqrt(rows);
        long low = rows;
        long high = most;
        while (low < high) {
            long middle = (low + high) / 2;
            if ((student(middle) + power) * deviation / Math.sqrt(middle) <= distance) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    private double student(long count) {
        if (count < 2 || means.length < 2) {
            return Double.POSITIVE_INFINITY;
        }
        double pairs = means.length * (means.length - 1) / 2.0;
        return TDistribution.of(count - 1).inverseSurvivalProbability(alpha / (2 * pairs));
    }

    private static double[] means(double[][] values, int columns) {
        double[] means = new double[columns];
        for (double[] row : values) {
            for (int i = 0; i < columns; i++) {
                means[i] += row[i] / values.length;
            }
        }
        return means;
    }

    private double[][] centred(double[][] values) {
        double[][] centred = new double[rows][];
        for (int row = 0; row < rows; row++) {
            centred[row] = values[row].clone();
            for (int i = 0; i < means.length; i++) {
                centred[row][i] -= means[i];
            }
        }
        return centred;
    }

    /// Returns the greatest studentised difference of each resample, and counts the best column of each.
    private double[] resample(double[][] centred, long seed) {
        var random = new SplittableRandom(seed);
        double[] greatest = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            int[] times = new int[rows];
            for (int row = 0; row < rows; row++) {
                times[random.nextInt(rows)]++;
            }
            var sample = new Sample(centred, times);
            greatest[i] = sample.greatest();
            count(sample.means);
        }
        return greatest;
    }

    private void count(double[] shifts) {
        double most = Double.NEGATIVE_INFINITY;
        int level = 0;
        for (int i = 0; i < means.length; i++) {
            double mean = means[i] + shifts[i];
            level = mean > most ? 1 : level + (mean == most ? 1 : 0);
            most = Math.max(most, mean);
        }
        for (int i = 0; i < means.length; i++) {
            best[i] += means[i] + shifts[i] == most ? 1.0 / level : 0;
        }
    }

    /// Means of the columns and second moments of all pairs of them, over rows with multiplicities, which may be 0.
    private static final class Sample {
        private final int rows;
        private final double[] means;
        private final double[][] products;

        Sample(double[][] centred, int... times) {
            this.rows = centred.length;
            int columns = centred[0].length;
            this.means = new double[columns];
            this.products = new double[columns][columns];
            for (int row = 0; row < rows; row++) {
                double weight = (double) times[row] / rows;
                if (weight == 0) {
                    continue;
                }
                for (int i = 0; i < columns; i++) {
                    double weighted = weight * centred[row][i];
                    means[i] += weighted;
                    for (int j = 0; j <= i; j++) {
                        products[i][j] += weighted * centred[row][j];
                    }
                }
            }
        }

        /// Standard error of the difference of two columns.
        double error(int i, int j) {
            int high = Math.max(i, j);
            int low = Math.min(i, j);
            double shift = means[i] - means[j];
            double variance =
                    products[i][i] + products[j][j] - 2 * products[high][low] - shift * shift;
            return variance < NOTHING || rows < 2 ? 0 : Math.sqrt(variance / (rows - 1));
        }

        double[][] errors() {
            double[][] errors = new double[means.length][means.length];
            for (int i = 0; i < means.length; i++) {
                for (int j = 0; j < means.length; j++) {
                    errors[i][j] = error(i, j);
                }
            }
            return errors;
        }

        double greatest() {
            double greatest = 0;
            for (int i = 0; i < means.length; i++) {
                for (int j = 0; j < i; j++) {
                    double shift = Math.abs(means[i] - means[j]);
                    if (shift * shift > NOTHING) {
                        double error = error(i, j);
                        greatest =
                                Math.max(greatest, error == 0 ? Double.MAX_VALUE : shift / error);
                    }
                }
            }
            return greatest;
        }
    }
}
