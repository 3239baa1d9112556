package dev.outrider.experiment.lab;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Replays as rows of counts, to be priced often: what a text takes is the sum of its counts times prices, which are looked up once for all texts.
/// Gives what [Prices#speedup] does. Immutable.
final class PricedSums {
    private final List<Replay> replays;
    private final int[] rows;
    private final int[] steps;
    private final double[][] byRows;
    private final double[][] bySteps;
    private final double[] plainStarts;
    private final double[] starts;
    private final int mostRows;

    /// @param beginning of every price that is asked about
    PricedSums(List<Replay> replays, Prices.Beginning beginning) {
        this.replays = replays;
        this.plainStarts =
                replays.stream().mapToDouble(each -> beginning.plain(each.prompt())).toArray();
        this.starts =
                replays.stream().mapToDouble(each -> beginning.drafting(each.prompt())).toArray();
        this.rows = keys(Replay::byRows);
        this.mostRows = rows[rows.length - 1];
        this.steps = keys(Replay::steps);
        this.byRows = counts(Replay::byRows, rows);
        this.bySteps = counts(Replay::steps, steps);
    }

    private int[] keys(Function<Replay, SortedMap<Integer, Double>> counts) {
        var keys = new TreeSet<Integer>();
        replays.forEach(replay -> keys.addAll(counts.apply(replay).keySet()));
        return keys.stream().mapToInt(Integer::intValue).toArray();
    }

    private double[][] counts(Function<Replay, SortedMap<Integer, Double>> counts, int... keys) {
        double[][] all = new double[replays.size()][keys.length];
        for (int text = 0; text < all.length; text++) {
            var own = counts.apply(replays.get(text));
            for (int i = 0; i < keys.length; i++) {
                all[text][i] = own.getOrDefault(keys[i], 0.0);
            }
        }
        return all;
    }

    /// One for each text.
    double[] speedups(Prices prices) {
        double[] pass = new double[rows.length];
        for (int i = 0; i < rows.length; i++) {
            pass[i] = prices.round(rows[i]);
        }
        double[] step = new double[steps.length];
        for (int i = 0; i < steps.length; i++) {
            step[i] = prices.step(steps[i]);
        }
        double unit = prices.plain();
        double plainFirst = prices.beginning().plainFirst();
        double[] firstRounds = new double[mostRows + 1];
        for (int most : rows) {
            firstRounds[most] = prices.beginning().firstRounds(most);
        }
        double[] speedups = new double[replays.size()];
        for (int text = 0; text < speedups.length; text++) {
            double nanos = prices.draft().round() * replays.get(text).drafts();
            for (int i = 0; i < pass.length; i++) {
                nanos += byRows[text][i] * pass[i];
            }
            for (int i = 0; i < step.length; i++) {
                nanos += bySteps[text][i] * step[i];
            }
            var replay = replays.get(text);
            speedups[text] =
                    (unit * (replay.tokens() + plainStarts[text]) + plainFirst)
                            / (nanos + unit * starts[text] + firstRounds[replay.mostRows()]);
        }
        return speedups;
    }
}
