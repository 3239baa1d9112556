package com.example.handicap;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection.Independent;
import dev.outrider.spi.draft.Selection.PointMass;
import dev.outrider.spi.draft.Selection.WithoutReplacement;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict.Origin;
import dev.outrider.spi.tree.Verdict;
import java.util.ArrayList;
import java.util.List;

/// Accepts a guess x, drawn from q, with probability `min(1, p(x) / (c q(x)))` for a divisor c of at least 1. The token x is
/// then emitted as a guess with probability `m(x) = min(q(x), p(x) / c)`, which is never more than p(x). After a rejection,
/// which has probability `1 - sum m`, the token comes from `p - m`, normalised. Together that is p for every c.
///
/// A pure function of its arguments, as every rule has to be. Thread-safe.
final class HandicapRule implements AcceptanceRule {
    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "handicap",
                    Selection.Kind.any(),
                    TreeShape.CHAIN,
                    "Leviathan et al. 2023, algorithm 1, with p / c in place of p in the test");

    private final double divisor;

    HandicapRule(HandicapConfig config) {
        this.divisor = config.divisor();
    }

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        var chain = draft.tree();
        List<Integer> accepted = new ArrayList<>();
        for (int node = 0; node < chain.draftedNodes(); node++) {
            double[] p = target.distribution(node);
            double[] q = draftDistribution(draft, node, p.length);
            int token = chain.token(node + 1);
            if (!(q[token] > 0 && randomness.accept(node + 1, p[token], divisor * q[token]))) {
                int next = randomness.draw(Randomness.Role.RESIDUAL, node, rest(p, q));
                return new Verdict(accepted, next, Origin.CORRECTION);
            }
            accepted.add(node + 1);
        }
        int leaf = accepted.size();
        return new Verdict(
                accepted, randomness.draw(Randomness.Role.BONUS, leaf, target.distribution(leaf)), Origin.BONUS);
    }

    /// Returns the rest of p after every guess has had its share; p itself if rounding leaves nothing.
    private double[] rest(double[] p, double[] q) {
        var rest = new double[p.length];
        double sum = 0;
        for (int token = 0; token < p.length; token++) {
            rest[token] = Math.max(p[token] - Math.min(q[token], p[token] / divisor), 0);
            sum += rest[token];
        }
        return sum > 0 ? rest : p;
    }

    /// The distribution the guess below a node was drawn from. A looked-up guess was certain.
    private static double[] draftDistribution(Draft draft, int node, int vocabulary) {
        return switch (draft.selection()) {
            case PointMass() -> {
                var certain = new double[vocabulary];
                certain[draft.tree().token(node + 1)] = 1;
                yield certain;
            }
            case Independent(var distributions) -> distributions.row(node);
            case WithoutReplacement(var distributions) -> distributions.row(node);
        };
    }
}
