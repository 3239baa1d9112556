package dev.outrider.audit;

import dev.outrider.audit.Audit.Evidence;
import dev.outrider.audit.Audit.Explanation;
import dev.outrider.audit.Audit.Outcome;
import dev.outrider.audit.Audit.Settings;
import dev.outrider.audit.Audit.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/// Tests whether a server writes the same with speculation and without. A fair coin chooses the form of a request, and several
/// predictors guess the coin from the answer. If both sides follow one distribution, no predictor is better than the coin, so the
/// product of each predictor's probability of the true side, over one half, is a test martingale (Lheritier and Cazals 2018).
final class TwoSides {
    private static final List<String> NAMES =
            List.of(
                    "first word",
                    "first two words",
                    "first four words",
                    "whole text",
                    "length",
                    "words anywhere");
    private static final int[] PREFIXES = {1, 2, 4, Integer.MAX_VALUE};
    private static final double LARGEST = 3;

    private final Settings settings;
    private final SplittableRandom coin;
    private final double[] logs = new double[NAMES.size()];
    private final Map<List<Object>, double[]> cells = new HashMap<>();
    private final Map<Integer, double[]> tokens = new HashMap<>();
    private final double[] texts = {1, 1};
    private final double[] lengths = new double[2];
    private int answers;
    private int decidedAt;

    TwoSides(Settings settings) {
        this.settings = settings;
        this.coin = new SplittableRandom(settings.seed());
    }

    /// The side of the next request, 0 or 1.
    int side() {
        return coin.nextInt(2);
    }

    /// Returns words of a text as numbers.
    static List<Integer> words(String text) {
        return Arrays.stream(text.split("(?<=\\s)", -1)).map(String::hashCode).toList();
    }

    void take(Answer answer, int side) {
        var ids = words(answer.text());
        var keys = new ArrayList<List<Object>>();
        for (int prefix : PREFIXES) {
            var words = List.copyOf(ids.subList(0, Math.min(prefix, ids.size())));
            keys.add(List.of(prefix, answer.prompt(), words));
        }
        keys.add(List.of("length", 32 - Integer.numberOfLeadingZeros(ids.size())));
        for (int index = 0; index < keys.size(); index++) {
            double[] counts = cells.computeIfAbsent(keys.get(index), _ -> new double[] {.5, .5});
            logs[index] += Math.log(2 * counts[side] / (counts[0] + counts[1]));
            counts[side]++;
        }
        double odds = 0;
        for (int token : new HashSet<>(ids)) {
            double[] counts = tokens.computeIfAbsent(token, _ -> new double[] {.5, .5});
            odds += Math.log(counts[side] / texts[side] / counts[1 - side] * texts[1 - side]);
            counts[side]++;
        }
        double bounded = Math.clamp(odds, -LARGEST, LARGEST);
        logs[keys.size()] += Math.log(2 / (1 + Math.exp(-bounded)));
        texts[side]++;
        lengths[side] += ids.size();
        answers++;
        if (decidedAt == 0 && log() >= -Math.log(settings.alpha())) {
            decidedAt = answers;
        }
    }

    boolean decided() {
        return decidedAt > 0;
    }

    private double log() {
        return EProcess.logSum(logs) - Math.log(logs.length);
    }

    Outcome outcome(boolean complete) {
        double all = EProcess.logSum(logs);
        var explanations = new ArrayList<Explanation>();
        for (int index = 0; index < logs.length; index++) {
            var name = "the sides differ in: " + NAMES.get(index);
            double share = Math.exp(logs[index] - all);
            explanations.add(new Explanation(name, share, logs[index], true, List.of(name)));
        }
        explanations.sort(Comparator.comparingDouble(Explanation::share).reversed());
        var verdict = complete ? Verdict.CONSISTENT : Verdict.CANNOT_TELL;
        var reason =
                complete ? "the two sides were not told apart" : "not all answers are there yet";
        var found = "the two sides were told apart after %d answers".formatted(decidedAt);
        double on = lengths[0] / Math.max(1, texts[0] - 1);
        double off = lengths[1] / Math.max(1, texts[1] - 1);
        return new Outcome(
                decided() ? Verdict.DIFFERENT : verdict,
                decided() ? found : reason,
                answers,
                (long) (lengths[0] + lengths[1]),
                new Evidence(log(), settings.alpha(), decidedAt, 0, 0, 0),
                Optional.empty(),
                explanations,
                List.of(),
                List.of(),
                List.of(),
                List.of("mean lengths of answers in words: on %.1f, off %.1f.".formatted(on, off)));
    }
}
