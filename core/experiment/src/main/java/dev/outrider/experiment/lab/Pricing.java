package dev.outrider.experiment.lab;

import dev.outrider.experiment.costs.CostCurve;
import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.SumRatio;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Quantile;

/// The speedup of rounds by prompt, with a 95 % interval that holds what is not known of the prompts and what is not known of t(n): each
/// resample draws both.
///
/// @param prices of the place
/// @param curves t(n) as other timings could have found it; empty where nothing is known of its errors
/// @param seed   of the resampling
record Pricing(Prices prices, List<CostCurve> curves, long seed) {
    private static final int CURVES = 200;
    private static final double TAIL = 0.025;

    static Pricing of(Prices prices, long seed) {
        var random = new SplittableRandom(seed);
        return new Pricing(
                prices,
                prices.target().errors().isEmpty()
                        ? List.of(prices.target())
                        : IntStream.range(0, CURVES)
                                .mapToObj(_ -> prices.target().drawn(random))
                                .toList(),
                seed);
    }

    SumRatio speedup(List<Replay> byPrompt) {
        double value = prices.speedup(byPrompt.stream().reduce(Replay::plus).orElseThrow());
        if (byPrompt.size() == 1 && curves.size() == 1) {
            return new SumRatio(value, value, value);
        }
        var rows = new TreeSet<Integer>();
        byPrompt.forEach(each -> rows.addAll(each.byRows().keySet()));
        int[] known = rows.stream().mapToInt(each -> each).toArray();
        double[][] passes =
                curves.stream()
                        .map(curve -> IntStream.of(known).mapToDouble(curve::at).toArray())
                        .toArray(double[][]::new);
        double[] plain = curves.stream().mapToDouble(curve -> prices.at(curve).plain()).toArray();
        double[][] rounds =
                byPrompt.stream()
                        .map(each ->
                                IntStream.of(known)
                                        .mapToDouble(n -> each.byRows().getOrDefault(n, 0.0))
                                        .toArray())
                        .toArray(double[][]::new);
        double[] fixed = byPrompt.stream().mapToDouble(this::beside).toArray();
        double[] tokens = byPrompt.stream().mapToDouble(Replay::tokens).toArray();
        var random = new SplittableRandom(seed);
        double[] ratios = new double[Bootstrap.RESAMPLES];
        for (int sample = 0; sample < ratios.length; sample++) {
            int curve = sample % passes.length;
            double top = 0;
            double bottom = 0;
            for (int draw = 0; draw < tokens.length; draw++) {
                int prompt = random.nextInt(tokens.length);
                top += tokens[prompt];
                bottom += fixed[prompt];
                for (int n = 0; n < known.length; n++) {
                    bottom += rounds[prompt][n] * passes[curve][n];
                }
            }
            ratios[sample] = top * plain[curve] / bottom;
        }
        double[] tails = Quantile.withDefaults().evaluate(ratios, TAIL, 1 - TAIL);
        return new SumRatio(value, tails[0], tails[1]);
    }

    /// What rounds take but for their passes.
    private double beside(Replay replay) {
        return prices.draft().round() * replay.drafts()
                + prices.draft().step() * replay.levels()
                + prices.engine() * replay.rounds();
    }
}
