package dev.outrider.testkit;

import dev.outrider.engine.beam.BeamSettings;
import dev.outrider.engine.decode.Generation.Hypothesis;
import dev.outrider.spi.sampling.SamplingPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Beam search by its definition, slowly: every candidate of every beam is written down with its
/// whole text, scored from the first token on, and sorted. It shares no code with the search.
///
/// @param model     the model
/// @param settings  options
/// @param ends      tokens that end a hypothesis
/// @param maxTokens length at which every hypothesis ends
record ReferenceBeamSearch(
        TableModel model, BeamSettings settings, Set<Integer> ends, int maxTokens) {
    /// A text and its score.
    private record Text(List<Integer> tokens, int rank, double sum) {
        int last() {
            return tokens.getLast();
        }
    }

    private record Ended(List<Integer> tokens, double sum, double score, boolean byToken) {}

    List<Hypothesis> search(int... prompt) {
        var live = List.of(new Text(List.of(), 0, 0));
        List<Ended> pool = new ArrayList<>();
        for (int length = 1; length <= maxTokens; length++) {
            var all = new ArrayList<Text>();
            for (int rank = 0; rank < live.size(); rank++) {
                for (int token = 0; token < model.vocabulary(); token++) {
                    var tokens = plus(live.get(rank).tokens(), token);
                    double sum = sum(prompt, tokens);
                    if (sum > Double.NEGATIVE_INFINITY && allowed(prompt, tokens)) {
                        all.add(new Text(tokens, rank, sum));
                    }
                }
            }
            all.sort(
                    Comparator.comparingDouble(Text::sum)
                            .reversed()
                            .thenComparingInt(Text::rank)
                            .thenComparingInt(Text::last));
            if (all.isEmpty()) {
                live.stream().map(text -> ended(text, false)).forEach(pool::add);
                break;
            }
            int steps = length;
            all.stream()
                    .limit(settings.beams())
                    .filter(text -> ends.contains(text.last()) || steps == maxTokens)
                    .map(text -> ended(text, ends.contains(text.last())))
                    .forEach(pool::add);
            pool = best(pool, settings.beams());
            if (length == maxTokens) {
                break;
            }
            live =
                    all.stream()
                            .filter(text -> !ends.contains(text.last()))
                            .limit(settings.beams())
                            .toList();
            if (live.isEmpty() || (pool.size() == settings.beams() && over(live, pool, length))) {
                break;
            }
        }
        return best(pool, settings.nBest()).stream()
                .map(each ->
                        new Hypothesis(each.tokens(), each.sum(), each.score(), each.byToken()))
                .toList();
    }

    private boolean over(List<Text> live, List<Ended> pool, int length) {
        double worst = pool.stream().mapToDouble(Ended::score).min().orElseThrow();
        double best = live.stream().mapToDouble(Text::sum).max().orElseThrow();
        double now = best / StrictMath.pow(length, settings.lengthPenalty());
        double longest = best / StrictMath.pow(maxTokens, settings.lengthPenalty());
        return switch (settings.earlyStopping()) {
            case TRUE -> true;
            case FALSE -> now <= worst;
            case NEVER -> (settings.lengthPenalty() > 0 ? longest : now) <= worst;
        };
    }

    private Ended ended(Text text, boolean byToken) {
        double score = text.sum() / StrictMath.pow(text.tokens().size(), settings.lengthPenalty());
        return new Ended(text.tokens(), text.sum(), score, byToken);
    }

    /// Returns the best of a list, whose order decides between equal scores.
    private static List<Ended> best(List<Ended> pool, int most) {
        var sorted = new ArrayList<>(pool);
        sorted.sort(Comparator.comparingDouble(Ended::score).reversed());
        return new ArrayList<>(sorted.subList(0, Math.min(most, sorted.size())));
    }

    private boolean allowed(int[] prompt, List<Integer> tokens) {
        if (ends.contains(tokens.getLast()) && tokens.size() <= settings.minTokens()) {
            return false;
        }
        int n = settings.noRepeatNgram();
        var text = Stream.concat(Arrays.stream(prompt).boxed(), tokens.stream()).toList();
        if (n == 0 || text.size() < n) {
            return true;
        }
        var last = text.subList(text.size() - n, text.size());
        return Collections.indexOfSubList(text, last) == text.size() - n;
    }

    /// Returns the sum of log probabilities, with every token's distribution computed again.
    private double sum(int[] prompt, List<Integer> tokens) {
        double sum = 0;
        for (int index = 0; index < tokens.size(); index++) {
            int[] prefix =
                    IntStream.concat(
                                    Arrays.stream(prompt),
                                    tokens.subList(0, index).stream().mapToInt(Integer::intValue))
                            .toArray();
            sum += logProbability(prefix, tokens.get(index));
        }
        return sum;
    }

    /// Returns the log probability of a token, from its logit less the largest one.
    private double logProbability(int[] prefix, int token) {
        float[] logits = model.logits(prefix);
        double largest = Double.NEGATIVE_INFINITY;
        for (float logit : logits) {
            largest = Math.max(largest, logit);
        }
        double[] distribution = model.distribution(SamplingPolicy.atTemperature(1), prefix);
        double ofLargest = StrictMath.log(Arrays.stream(distribution).max().orElseThrow());
        return logits[token] - largest + ofLargest;
    }

    private static List<Integer> plus(List<Integer> tokens, int token) {
        return Stream.concat(tokens.stream(), Stream.of(token)).toList();
    }
}
