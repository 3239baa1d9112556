package dev.outrider.experiment.lab;

import dev.outrider.experiment.stats.Bootstrap;
import dev.outrider.experiment.stats.SumRatio;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.ArrayList;
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
        double[][] ratios =
                again.stream().map(each -> ratios(each, replays)).toArray(double[][]::new);
        double[] medians = new double[resamples.length];
        for (int sample = 0; sample < medians.length; sample++) {
            double[] of = ratios[sample % ratios.length];
            int[] texts = resamples[sample];
            double[] drawn = new double[texts.length];
            for (int i = 0; i < texts.length; i++) {
                drawn[i] = of[texts[i]];
            }
            Arrays.sort(drawn);
            medians[sample] = (drawn[(drawn.length - 1) / 2] + drawn[drawn.length / 2]) / 2;
        }
        double[] tails = Quantile.withDefaults().evaluate(medians, TAIL, 1 - TAIL);
        return new SumRatio(value, tails[0], tails[1]);
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

    /// Prompts with replacement, and of each that is drawn its texts: numbers of texts.
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
        var resamples = new int[Bootstrap.RESAMPLES][];
        for (int sample = 0; sample < resamples.length; sample++) {
            int[][] drawn = new int[prompts.length][];
            int size = 0;
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = prompts[random.nextInt(prompts.length)];
                size += drawn[i].length;
            }
            int[] all = new int[size];
            int next = 0;
            for (int[] prompt : drawn) {
                for (int i = 0; i < prompt.length; i++) {
                    all[next++] = prompt[random.nextInt(prompt.length)];
                }
            }
            resamples[sample] = all;
        }
        return resamples;
    }
}
