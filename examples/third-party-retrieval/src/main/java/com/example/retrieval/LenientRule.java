package com.example.retrieval;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict.Origin;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/// Accepts a guess that is at least `ratio` times as probable as the target's favourite, without a random decision. What the
/// target finds likely is so emitted too often, and the rest too rarely: the rule is lossy, and says so.
///
/// A pure function of its arguments, as every rule has to be. Thread-safe.
final class LenientRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.lossy(
                    "lenient",
                    Selection.Kind.any(),
                    TreeShape.TREE,
                    "after Cai et al. 2024 (Medusa), section 2.3.1, with the mode's probability as the measure");

    private final double ratio;

    LenientRule(LenientConfig config) {
        this.ratio = config.ratio();
    }

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        List<Integer> accepted = new ArrayList<>();
        int node = 0;
        int[] candidates = draft.tree().candidates(node);
        while (candidates.length > 0) {
            var good = firstGoodEnough(candidates, node, draft, target);
            if (good.isEmpty()) {
                int next = randomness.draw(Randomness.Role.RESIDUAL, node, target.distribution(node));
                return new Verdict(accepted, next, Origin.CORRECTION);
            }
            node = good.getAsInt();
            accepted.add(node);
            candidates = draft.tree().candidates(node);
        }
        int next = randomness.draw(Randomness.Role.BONUS, node, target.distribution(node));
        return new Verdict(accepted, next, Origin.BONUS);
    }

    private OptionalInt firstGoodEnough(
            int[] candidates, int node, Draft draft, TargetDistributions target) {
        double[] p = target.distribution(node);
        double least = ratio * p[target.mode(node)];
        return Arrays.stream(candidates)
                .filter(child -> p[draft.tree().token(child)] >= least)
                .findFirst();
    }
}
