package dev.outrider.experiment.lab;

import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.SumRatio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;

/// The speedup over plain decoding as a comparison has it: the median over texts of the quotients of time per token, with a 95 % interval
/// that holds what is not known of prompts and texts and what is not known of times: each resample draws all three.
final class Pricing {
    private static final double TAIL = 0.025;

    private final Prices prices;
    private final List<Prices> again;
    private final int[][] resamples;

    private Pricing(Prices prices, List<Prices> again, int[][] resamples) {
        this.prices = prices;
        this.again = again;
        this.resamples = resamples;
    }

    /// @param prices of the place
    /// @param again  as other timings could have found them, at least one
    /// @param texts  whose replays are priced, in their order
    /// @param seed   of the resampling
    static Pricing of(Prices prices, List<Prices> again, List<RecordedText> texts, long seed) {
        return new Pricing(prices, List.copyOf(again), resamples(texts, seed));
    }

    Prices prices() {
        return prices;
    }

    /// @param replays one for each text
    SumRatio speedup(List<Replay> replays) {
        double value = median(ratios(prices, replays));
        if (replays.size() == 1 && again.size() == 1) {
            return new SumRatio(value, value, value);
        }
        var sums = new PricedSums(replays, prices.beginning());
        double[][] ratios = new double[again.size()][];
        int[][] rising = new int[again.size()][];
        for (int draw = 0; draw < ratios.length; draw++) {
            ratios[draw] = sums.speedups(again.get(draw));
            rising[draw] = rising(ratios[draw]);
        }
        double[] medians = new double[resamples.length];
        for (int sample = 0; sample < medians.length; sample++) {
            int draw = sample % ratios.length;
            medians[sample] = median(ratios[draw], rising[draw], resamples[sample]);
        }
        double[] tails = Quantile.withDefaults().evaluate(medians, TAIL, 1 - TAIL);
        return new SumRatio(value, tails[0], tails[1]);
    }

    private static int[] rising(double... values) {
        return IntStream.range(0, values.length)
                .boxed()
                .sorted((one, other) -> Double.compare(values[one], values[other]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /// The median of values that are there several times or not at all.
    ///
    /// @param rising numbers of values, the least first
    /// @param times  how often each is there
    static double median(double[] values, int[] rising, int... times) {
        int size = 0;
        for (int count : times) {
            size += count;
        }
        int seen = 0;
        int at = -1;
        while (seen <= (size - 1) / 2) {
            seen += times[rising[++at]];
        }
        double low = values[rising[at]];
        while (seen <= size / 2) {
            seen += times[rising[++at]];
        }
        return (low + values[rising[at]]) / 2;
    }

    /// The median over texts.
    static double speedup(Prices prices, List<Replay> replays) {
        return median(ratios(prices, replays));
    }

    private static double[] ratios(Prices prices, List<Replay> replays) {
        return replays.stream().mapToDouble(prices::speedup).toArray();
    }

    private static double median(double... values) {
        return Median.withDefaults().evaluate(values);
    }

    /// Prompts with replacement, and of each that is drawn its texts: how often each text is drawn.
    private static int[][] resamples(List<RecordedText> texts, long seed) {
        var byPrompt = new LinkedHashMap<String, List<Integer>>();
        IntStream.range(0, texts.size())
                .forEach(text ->
                        byPrompt.computeIfAbsent(texts.get(text).prompt(), _ -> new ArrayList<>())
                                .add(text));
        int[][] prompts =
                byPrompt.values().stream()
                        .map(own -> own.stream().mapToInt(Integer::intValue).toArray())
                        .toArray(int[][]::new);
        var random = new SplittableRandom(seed);
        var resamples = new int[Bootstrap.RESAMPLES][texts.size()];
        for (int[] times : resamples) {
            for (int draw = 0; draw < prompts.length; draw++) {
                int[] prompt = prompts[random.nextInt(prompts.length)];
                for (int i = 0; i < prompt.length; i++) {
                    times[prompt[random.nextInt(prompt.length)]]++;
                }
            }
        }
        return resamples;
    }
}
