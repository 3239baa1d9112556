package dev.outrider.experiment.sample;

import dev.outrider.experiment.sample.Samples.Distributions;
import dev.outrider.experiment.sample.Samples.Others;
import dev.outrider.experiment.sample.Samples.Row;
import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.DraftDistributions;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.IntFunction;

/// A rule that decides as another does and keeps what p and q were at the root. Confined to one thread.
final class DistributionWatch implements AcceptanceRule {
    private static final int ROWS = 10;

    private final AcceptanceRule rule;
    private final IntFunction<String> text;
    private final List<Distributions> seen = new ArrayList<>();
    private int round;

    /// @param text what a token reads as
    DistributionWatch(AcceptanceRule rule, IntFunction<String> text) {
        this.rule = rule;
        this.text = text;
    }

    @Override
    public RuleTraits traits() {
        return rule.traits();
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        var verdict = rule.decide(draft, target, randomness);
        int[] candidates = draft.tree().candidates(0);
        if (candidates.length > 0) {
            int drawn = draft.tree().token(candidates[0]);
            boolean kept = verdict.acceptedNodes().contains(candidates[0]);
            distribution(draft.selection(), drawn, target.vocabularySize())
                    .ifPresent(q ->
                            seen.add(distributions(draft, target.distribution(0), q, drawn, kept)));
        }
        round++;
        return verdict;
    }

    /// Of the rounds so far with a guess, the one of median beta; the lower of two.
    Optional<Distributions> median() {
        var sorted = seen.stream().sorted(Comparator.comparingDouble(Distributions::beta)).toList();
        return sorted.isEmpty()
                ? Optional.empty()
                : Optional.of(sorted.get((sorted.size() - 1) / 2));
    }

    private static Optional<double[]> distribution(Selection selection, int drawn, int vocabulary) {
        return switch (selection) {
            case Selection.PointMass _ -> {
                var q = new double[vocabulary];
                q[drawn] = 1;
                yield Optional.of(q);
            }
            case Selection.Independent(DraftDistributions distributions) -> row(distributions);
            case Selection.WithoutReplacement(DraftDistributions distributions) ->
                    row(distributions);
        };
    }

    private static Optional<double[]> row(DraftDistributions distributions) {
        return distributions.has(0) ? Optional.of(distributions.row(0)) : Optional.empty();
    }

    private Distributions distributions(
            Draft draft, double[] p, double[] q, int drawn, boolean kept) {
        List<Integer> shown = most(p, q, drawn);
        double beta = 0;
        double restP = 0;
        double restQ = 0;
        double overlap = 0;
        int others = 0;
        for (int token = 0; token < p.length; token++) {
            double both = Math.min(p[token], q[token]);
            beta += both;
            if (!shown.contains(token) && p[token] + q[token] > 0) {
                others++;
                restP += p[token];
                restQ += q[token];
                overlap += both;
            }
        }
        return new Distributions(
                round,
                spelled(draft.selection()),
                beta,
                shown.stream()
                        .sorted(
                                Comparator.comparingDouble((Integer token) -> -p[token])
                                        .thenComparing(token -> token))
                        .map(token -> new Row(token, text.apply(token), p[token], q[token]))
                        .toList(),
                new Others(others, restP, restQ, overlap),
                drawn,
                kept);
    }

    /// The tokens with most of either distribution, the guess among them.
    private static List<Integer> most(double[] p, double[] q, int drawn) {
        var least =
                new PriorityQueue<Integer>(
                        Comparator.comparingDouble(token -> Math.max(p[token], q[token])));
        for (int token = 0; token < p.length; token++) {
            if (token != drawn && p[token] + q[token] > 0) {
                least.add(token);
                if (least.size() >= ROWS) {
                    least.remove();
                }
            }
        }
        var most = new ArrayList<Integer>(least);
        most.add(drawn);
        return most;
    }

    private static String spelled(Selection selection) {
        return switch (selection.kind()) {
            case POINT_MASS -> "point mass";
            case INDEPENDENT -> "independent";
            case WITHOUT_REPLACEMENT -> "without replacement";
        };
    }
}
