package dev.outrider.engine.acceptance;

import dev.outrider.spi.draft.Draft;
import dev.outrider.spi.draft.Selection;
import dev.outrider.spi.rule.AcceptanceRule;
import dev.outrider.spi.rule.RuleTraits;
import dev.outrider.spi.rule.TargetDistributions;
import dev.outrider.spi.sampling.Randomness;
import dev.outrider.spi.sampling.Support;
import dev.outrider.spi.tree.TreeShape;
import dev.outrider.spi.tree.Verdict;
import dev.outrider.spi.tree.Verdict.Origin;
import java.util.ArrayList;
import java.util.Set;

/// SpecTr's sequential selection: of k children drawn independently from q, the first that passes its test
/// `p(c) / (rho q(c))` is kept. With `m = min(q, p / rho)`, `beta = sum m` and
/// `p_acc = 1 - (1 - beta)^k`, what follows a node without a kept child is drawn from
/// `p - m p_acc / beta`. It is exact for every rho with `p_acc <= rho beta`; the smallest such rho, which
/// this rule finds by false position on `[1, k]`, accepts most.
///
/// @see "Sun et al. 2023 (SpecTr), algorithm 3"
public final class KSequentialRule implements AcceptanceRule {
    private static final int MAX_STEPS = 60;

    /// Rho is found up to this; the rule is exact for any that is not too small.
    private static final double TOLERANCE = 1e-12;

    private static final RuleTraits TRAITS =
            RuleTraits.exact(
                    "k-seq",
                    Set.of(Selection.Kind.INDEPENDENT),
                    TreeShape.TREE,
                    "Sun et al. 2023 (SpecTr), algorithm 3");

    @Override
    public RuleTraits traits() {
        return TRAITS;
    }

    @Override
    public Verdict decide(Draft draft, TargetDistributions target, Randomness randomness) {
        var tree = draft.tree();
        var accepted = new ArrayList<Integer>(tree.maxDepth());
        int node = 0;
        while (TreeWalk.hasCandidates(tree, node)) {
            int[] children = tree.candidates(node);
            var pair = new Pair(target, node, SiblingDistribution.at(draft, node), children.length);
            double rho = pair.optimalRho();
            int chosen = -1;
            for (int child : children) {
                int token = tree.token(child);
                double q = pair.q.of(token);
                if (q > 0 && randomness.accept(child, pair.p[token], rho * q)) {
                    chosen = child;
                    break;
                }
            }
            if (chosen < 0) {
                int next =
                        randomness.draw(
                                Randomness.Role.RESIDUAL, node, pair.residual(rho), pair.support);
                return new Verdict(accepted, next, Origin.CORRECTION);
            }
            accepted.add(chosen);
            node = chosen;
        }
        int next = Residual.at(target, node).draw(randomness, Randomness.Role.BONUS);
        return new Verdict(accepted, next, Origin.BONUS);
    }

    /// p and q at a node with k children. Everything here is 0 outside the support of p.
    private static final class Pair {
        private final TargetDistributions target;
        private final int node;
        private final double[] p;
        private final Support support;
        private final SiblingDistribution q;
        private final int k;

        Pair(TargetDistributions target, int node, SiblingDistribution q, int k) {
            this.target = target;
            this.node = node;
            this.p = target.distribution(node);
            this.support = target.support(node);
            this.q = q;
            this.k = k;
        }

        /// The smallest rho in `[1, k]` with `1 - (1 - beta)^k <= rho beta`, from above: false position, in
        /// which an end that stays counts half (the Illinois rule).
        double optimalRho() {
            double low = 1;
            double lowSlack = slack(low);
            if (lowSlack >= 0) {
                return low;
            }
            double high = k;
            double highSlack = slack(high);
            int stayed = 0;
            for (int step = 0;
                    step < MAX_STEPS && high - low > TOLERANCE && highSlack > 0;
                    step++) {
                double middle = low + (high - low) * lowSlack / (lowSlack - highSlack);
                double slack = slack(middle);
                if (slack >= 0) {
                    high = middle;
                    highSlack = slack;
                    lowSlack = stayed < 0 ? lowSlack / 2 : lowSlack;
                    stayed = -1;
                } else {
                    low = middle;
                    lowSlack = slack;
                    highSlack = stayed > 0 ? highSlack / 2 : highSlack;
                    stayed = 1;
                }
            }
            return high;
        }

        /// By how much rho is large enough.
        private double slack(double rho) {
            double beta = overlap(rho);
            return rho * beta - (1 - Math.pow(1 - beta, k));
        }

        private double overlap(double rho) {
            double inverse = 1 / rho;
            double beta = 0;
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double scaled = p[token] * inverse;
                double drafted = q.of(token);
                beta += drafted < scaled ? drafted : scaled; // Math.min takes twice as long
            }
            return Math.min(beta, 1);
        }

        private double[] residual(double rho) {
            double beta = overlap(rho);
            double share = beta > 0 ? (1 - Math.pow(1 - beta, k)) / beta : 0;
            double[] left = target.copy(node);
            double total = 0;
            for (int index = 0; index < support.size(); index++) {
                int token = support.token(index);
                double taken = Math.min(q.of(token), p[token] / rho) * share;
                left[token] = Math.max(p[token] - taken, 0);
                total += left[token];
            }
            return total > 0 ? left : p;
        }
    }
}
